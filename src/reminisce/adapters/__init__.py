"""What the ports promise, done with real things. No adapter knows another."""

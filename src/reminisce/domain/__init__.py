"""What reminisce means: values, planners, ranking, visibility, egress. Pure: no I/O, no clock, no randomness."""

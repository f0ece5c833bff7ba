"""Planners: (snapshot, request, now) into the changes of one commit. Every rule of what may happen next lives here."""

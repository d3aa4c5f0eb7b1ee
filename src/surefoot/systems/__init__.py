"""The rooms: each reproduces one work on simulated characters, or makes what the others stand on. No room knows another."""

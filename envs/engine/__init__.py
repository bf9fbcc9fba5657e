"""What every rulebook shares; it knows no rulebook."""

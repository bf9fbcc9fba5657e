"""Players for every rulebook: random, greedy, trained."""

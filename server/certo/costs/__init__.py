"""What a candidate costs: lower is better, and the winner among equals is cheapest."""

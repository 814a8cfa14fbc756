"""Everything that the terminal prints: tables, cards, trees and live progress."""

/** Credits of one person. Source: ships.md section 4. */
export const PRICES = {
  recruit: { crew: 25, marines: 120 },
  treat: { crew: 40, marines: 80 },
} as const

/** Rules of mining that reach other domains. */

/** Ticks from empty to full, by rarity rank. */
export const REGROWTH_WINDOW_TICKS = [8_640, 17_280, 43_200, 86_400, 172_800] as const

/** The addresses of the views of single things, by their ids or names. */

const hrefIn =
  (view: string) =>
  (id: string): string =>
    `/${view}/${encodeURIComponent(id)}`

export const battleHref = hrefIn('battles')
export const boardHref = hrefIn('leaderboard')
export const factionHref = hrefIn('faction')
export const itemHref = hrefIn('market/item')
export const marketHref = hrefIn('market')
export const playerHref = hrefIn('player')
export const stationHref = hrefIn('stations')
export const systemHref = hrefIn('system')
export const threadHref = hrefIn('forum')

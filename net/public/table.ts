/**
 * Public addresses, one row each: routes, OpenAPI and the HTTP documentation are derived from this
 * table. Source: WEB 1.
 */
import { BATTLE_ROWS } from './battle-rows.ts'
import { CATALOGUE_ROWS } from './catalogue-rows.ts'
import { FORUM_ROWS } from './forum-rows.ts'
import { HISTORY_ROWS } from './history-rows.ts'
import { MAP_ROWS } from './map-rows.ts'
import { MARKET_ROWS } from './market-rows.ts'
import { PLAYER_ROWS } from './player-rows.ts'
import { PROOF_ROWS } from './proof-rows.ts'
import { RANK_ROWS } from './rank-rows.ts'
import type { PublicRow } from './row.ts'
import { STATION_ROWS } from './station-rows.ts'
import { SYSTEM_ROWS } from './system-rows.ts'
import { TRADE_ROWS } from './trade-rows.ts'

export const PUBLIC_ROWS: readonly PublicRow[] = [
  ...MAP_ROWS,
  ...SYSTEM_ROWS,
  ...STATION_ROWS,
  ...MARKET_ROWS,
  ...TRADE_ROWS,
  ...BATTLE_ROWS,
  ...RANK_ROWS,
  ...PLAYER_ROWS,
  ...FORUM_ROWS,
  ...HISTORY_ROWS,
  ...PROOF_ROWS,
  ...CATALOGUE_ROWS,
]

/** Converts a path of the router to the form of the documents: `:name` becomes `{name}`. */
export const shownPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

/**
 * Releases of this server as `get_version` tells them, newest first. CHANGELOG.md is the long form
 * of the same rows.
 */
import { deepFreeze } from './freeze.ts'

/** Interface release that this server speaks: what clients compare and `welcome` carries. */
export const VERSION = '0.599.5'

export interface ReleaseRow {
  /** Interface release. */
  readonly version: string
  /** Release of this server. */
  readonly release: string
  /** YYYY-MM-DD */
  readonly release_date: string
  readonly notes: readonly string[]
}

export const RELEASES: readonly ReleaseRow[] = deepFreeze([
  {
    version: VERSION,
    release: '0.1.0',
    release_date: '2026-11-21',
    notes: [
      'First release of this server, 0.1.0, for the interface of release 0.599.5.',
      'A galaxy made from a seed: systems, lanes, belts, ice fields, clouds and stations of five empires and of lawless space.',
      'Register or log in over WebSocket, HTTP or MCP; versions 1 and 2 of each reach the same commands.',
      'Fly: travel, jump, find_route, dock and undock; refuel and repair at stations or from your own hold.',
      'Mine ore, ice and gas; deposits thin out and grow back.',
      'Trade with station exchanges: view_market, estimate_purchase, buy and sell, with fees and taxes of the empire.',
      'Place limit orders, change and cancel them one by one or in bulk; `subscribe_market` tells each change.',
      'Fight: rings, stances, a damage pipeline of thirteen stages, tackle and flight; pirates of three strengths in lawless space; boarding, capture and plunder; wrecks and respawn.',
      '`get_battle_log` shows every stage of every hit; `battle_update` tells each participant the battle every tick.',
      'Keep goods in a locker at any base with storage, or jettison them.',
      "Talk in system, local and private chat; keep a captain's log; mute what you do not want to hear.",
      'Look things up: catalog, inspect, help, get_guide.',
      'Everything answered is durable: the world is rebuilt from its journal after a crash, to the same bytes.',
    ],
  },
])

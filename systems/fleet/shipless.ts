/** What a player without a ship may do. Source: factions.md section 8, `no_ship`. */
import type { CommandDef } from '../../core/command.ts'
import { type Failure, fail } from '../../core/errors.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { isAshore } from './ride-rules.ts'

/** Categories of commands that are about a ship, or what comes out of its hold. */
const OF_SHIPS: ReadonlySet<string> = new Set([
  ...['ship', 'shipyard', 'combat', 'drones', 'mining', 'navigation', 'salvage'],
  ...['storage', 'trading', 'facility', 'crafting'],
])
/** Sections of the state that somebody without a ship has not got, or cannot change. */
const SHIP_SECTIONS: ReadonlySet<string> = new Set(['ship', 'modules', 'cargo', 'location'])
/** The way back to a ship, for those ashore. */
const ASHORE: ReadonlySet<string> = new Set(['switch_ship'])
const ALWAYS: ReadonlySet<string> = new Set(['prepay_tax', 'faction_prepay_tax'])

/** No_ship for a mutation that needs one; nothing of a player who flies. */
export function refusesShipless(
  view: WorldView,
  player: Eid,
  def: CommandDef,
): Failure | undefined {
  if (def.kind !== 'mutation' || view.read(Player).ship[player] !== 0) return undefined
  if (ALWAYS.has(def.name)) return undefined
  if (ASHORE.has(def.name) && isAshore(view, player)) return undefined
  const touches = def.changes.some((section) => SHIP_SECTIONS.has(section))
  return touches || OF_SHIPS.has(def.category) ? fail('no_ship') : undefined
}

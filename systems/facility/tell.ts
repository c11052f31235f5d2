/** Who hears what happens to a facility: its owner's log, or the log and members of his faction. */
import type { Eid, Row, World } from '../../core/world.ts'
import { noteFactionLog } from '../faction/rules.ts'
import { logAction } from '../log/rules.ts'
import { Facility, OF_FACTION } from './columns.ts'
import { ownerOf } from './owners.ts'
import { facilityId } from './rules.ts'

/** Logs what a player has done with a facility. */
export function tellFacility(
  world: World,
  row: Row,
  actor: Eid,
  verb: string,
  summary: string,
): void {
  const data = { facility_id: facilityId(world, row), base: world.read(Facility).base[row] }
  const owner = ownerOf(world, row)
  logAction(world, actor, 'other', verb.replace('_', '.'), summary, data)
  if (owner.kind === OF_FACTION)
    noteFactionLog(world, owner.faction, actor, { verb, summary, data })
}

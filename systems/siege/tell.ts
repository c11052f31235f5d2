/** Who hears of a station in a fight: pilots at its place, and whose it is wherever they are. */
import { type EventDef, emit } from '../../core/event.ts'
import type { Static, TObject } from '../../core/params.ts'
import type { Eid, World } from '../../core/types.ts'
import { Base } from '../base/columns.ts'
import { membersOf } from '../faction/rules.ts'
import { ownerOfBase } from '../station/access-rules.ts'
import { playersAt } from '../travel/rules.ts'

/** Tells what befell a station. Source: combat.md section 16. */
export function tellOfStation<S extends TObject>(
  world: World,
  event: EventDef<S>,
  payload: Static<S>,
  base: Eid,
): void {
  const poi = world.read(Base).poi[base]
  emit(world, event, payload, { kind: 'poi', row: poi })
  const faction = ownerOfBase(world, base)
  if (faction === 0) return
  const there = new Set(playersAt(world, poi))
  const away = membersOf(world, faction).filter((member) => !there.has(member))
  if (away.length > 0) emit(world, event, payload, { kind: 'players', rows: away })
}

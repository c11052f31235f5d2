/** Errands: how many pilots have taken one, and how many a base or a player may have. */
import { MISSIONS, type MissionRow } from '../../core/catalog/index.ts'
import { divFloor } from '../../core/math.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { demandPerMille } from '../account/population-model.ts'
import { Base } from '../base/state.ts'
import { epochOf, missionsOf, recordOf, templateOf } from './model.ts'
import { ERRAND_TAKERS, ERRANDS_TAKEN, Mission, type Offer } from './state.ts'

/** Returns whether a mission is an errand: a courier mission of a base. */
export const isErrand = ({ type, kind }: MissionRow): boolean =>
  type === 'courier' && kind === undefined

/** Returns the key of an offer in the records of its epoch. */
export const offerName = (view: WorldView, template: string, base: Eid): string =>
  `${template}@${view.read(Base).seq[base]}`

/** Returns how many pilots have taken an errand of this epoch. */
const pilotsAt = (view: WorldView, { template, base, epoch }: Offer): number => {
  const taken = view.records(ERRANDS_TAKEN).get(offerName(view, template.template_id, base))
  return taken?.epoch === epoch ? taken.pilots : 0
}

/**
 * Returns whether the limit of pilots for an errand is reached: demand is a budget that all players
 * share. Source: balance.md section 1.
 */
export function isTakenUp(view: WorldView, offer: Offer): boolean {
  if (!isErrand(offer.template)) return false
  const takers = divFloor(ERRAND_TAKERS * demandPerMille(view), 1_000)
  return pilotsAt(view, offer) >= Math.max(1, takers)
}

/** Counts a pilot who takes an errand; does nothing for other offers. */
export function countErrand(world: World, offer: Offer): void {
  if (!isErrand(offer.template)) return
  const name = offerName(world, offer.template.template_id, offer.base)
  const pilots = pilotsAt(world, offer) + 1
  world.records(ERRANDS_TAKEN).set(name, { epoch: offer.epoch, pilots })
}

/** Deletes the records of errands of past epochs. */
export function forgetErrands(world: World): void {
  const errands = world.records(ERRANDS_TAKEN)
  const now = epochOf(world.tick)
  const past = [...errands.entries()].filter(([, { epoch }]) => epoch !== now)
  for (const [name] of past) errands.delete(name)
}

/** Returns how many errands of a base's current board a player has accepted or completed. */
export function errandsTaken(view: WorldView, player: Eid, base: Eid): number {
  const now = epochOf(view.tick)
  const { base: issuer, epoch } = view.read(Mission)
  const open = missionsOf(view, player).filter(
    (row) => issuer[row] === base && epoch[row] === now && isErrand(templateOf(view, row)),
  )
  const record = recordOf(view, player)
  const done = record.epoch === now ? record.offers : []
  const errands = MISSIONS.filter(isErrand)
  return (
    open.length +
    errands.filter((row) => done.includes(offerName(view, row.template_id, base))).length
  )
}

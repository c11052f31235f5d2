/** Errands: who has taken how many of them, and how many a base has to give. */
import { MISSIONS, type MissionRow } from '../../core/catalog/index.ts'
import { divFloor } from '../../core/math.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { demandPerMille } from '../account/population-model.ts'
import { Base } from '../base/state.ts'
import { epochOf, missionsOf, recordOf, templateOf } from './model.ts'
import { ERRAND_TAKERS, ERRANDS_TAKEN, Mission, type Offer } from './state.ts'

export const isErrand = ({ type, kind }: MissionRow): boolean =>
  type === 'courier' && kind === undefined

/** Returns how a record names an offer within its epoch. */
export const offerName = (view: WorldView, template: string, base: Eid): string =>
  `${template}@${view.read(Base).seq[base]}`

/** Returns how many pilots have taken an errand of this epoch. */
const pilotsAt = (view: WorldView, { template, base, epoch }: Offer): number => {
  const taken = view.records(ERRANDS_TAKEN).get(offerName(view, template.template_id, base))
  return taken?.epoch === epoch ? taken.pilots : 0
}

/**
 * Returns whether as many pilots have taken an errand as a base has it for: demand is a budget that
 * all share. Source: balance.md section 1.
 */
export function isTakenUp(view: WorldView, offer: Offer): boolean {
  if (!isErrand(offer.template)) return false
  const takers = divFloor(ERRAND_TAKERS * demandPerMille(view), 1_000)
  return pilotsAt(view, offer) >= Math.max(1, takers)
}

/** Counts a pilot who takes an errand. */
export function countErrand(world: World, offer: Offer): void {
  if (!isErrand(offer.template)) return
  const name = offerName(world, offer.template.template_id, offer.base)
  const pilots = pilotsAt(world, offer) + 1
  world.records(ERRANDS_TAKEN).set(name, { epoch: offer.epoch, pilots })
}

/** Forgets who took errands of epochs that are over. */
export function forgetErrands(world: World): void {
  const errands = world.records(ERRANDS_TAKEN)
  const now = epochOf(world.tick)
  const past = [...errands.entries()].filter(([, { epoch }]) => epoch !== now)
  for (const [name] of past) errands.delete(name)
}

/** Returns how many errands of a base's board of now a player is at, or has done. */
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

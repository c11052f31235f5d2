/**
 * Escorts: what the board of a base offers while a convoy is loaded there, and who flies along. A
 * convoy is found by its number, since it may be over while a mission still asks about it.
 */
import { escortTemplate } from '../../core/catalog/index.ts'
import { idOf } from '../../core/entity.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { governed } from '../account/governor-model.ts'
import { Convoy } from '../npc/convoy-state.ts'
import { Location } from '../travel/state.ts'
import { epochOf } from './model.ts'
import { ACTIVE, type Offer } from './state.ts'

/** Pilots who are paid for flying with one convoy. */
const ESCORTS_OF_CONVOY_MAX = 3

/** Pay of an escort, for each jump, and for each system without law, credits. */
const ESCORT_CREDITS = 500
const ESCORT_JUMP_CREDITS = 300
const LAWLESS_CREDITS = 500

/** Returns the missions of those who escort a convoy, by its number. */
export const escortsOf = (view: WorldView, convoy: number): readonly Row[] =>
  view.index(ACTIVE).byConvoy.get(convoy) ?? []

/** Returns the stops at which an escort is to be there: all of a single jump, else all but one. */
const stopsFor = (jumps: number): number => Math.max(2, jumps)

function offerOf(view: WorldView, convoy: Row): Offer {
  const { from, to, seq, jumps, lawless, nextTick } = view.read(Convoy)
  const credits =
    ESCORT_CREDITS + ESCORT_JUMP_CREDITS * jumps[convoy] + LAWLESS_CREDITS * lawless[convoy]
  return {
    id: idOf(view, Convoy, convoy),
    template: escortTemplate(stopsFor(jumps[convoy])),
    base: from[convoy],
    epoch: epochOf(view.tick),
    toBase: [to[convoy]],
    toSystem: [0],
    jumps: jumps[convoy],
    credits: governed(view, credits),
    expireTick: nextTick[convoy],
    posting: 0,
    convoy: seq[convoy],
  }
}

/** Returns the convoys at a base that still take somebody along, as offers. O(convoys). */
export function escortOffers(view: WorldView, base: Eid): Offer[] {
  if (view.countOf(Convoy) === 0) return []
  const { alive, from, ship, seq } = view.read(Convoy)
  const { base: dock } = view.read(Location)
  const offers: Offer[] = []
  for (let convoy = 1; convoy <= view.highOf(Convoy); convoy++) {
    const isHere = alive[convoy] === 1 && from[convoy] === base && dock[ship[convoy]] === base
    if (isHere && escortsOf(view, seq[convoy]).length < ESCORTS_OF_CONVOY_MAX) {
      offers.push(offerOf(view, convoy))
    }
  }
  return offers.sort((a, b) => (a.convoy ?? 0) - (b.convoy ?? 0))
}

/**
 * Escort missions: the board of a base offers them while a convoy is loaded there. Missions hold
 * the durable number of their convoy, since the convoy may end before the mission does.
 */
import { escortTemplate } from '../../core/catalog/index.ts'
import { idOf } from '../../core/entity.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { governed } from '../account/governor-model.ts'
import { Convoy } from '../npc/convoy-state.ts'
import { Location } from '../travel/state.ts'
import { epochOf } from './model.ts'
import { ACTIVE, type Offer } from './state.ts'

/** Limit of pilots who escort one convoy. */
const ESCORTS_OF_CONVOY_MAX = 3

/** Base pay of an escort, and pay for each jump and for each lawless system, credits. */
const ESCORT_CREDITS = 500
const ESCORT_JUMP_CREDITS = 300
const LAWLESS_CREDITS = 500

/** Returns the escort missions of a convoy, given by its durable number. */
export const escortsOf = (view: WorldView, convoy: number): readonly Row[] =>
  view.index(ACTIVE).byConvoy.get(convoy) ?? []

/**
 * Returns the stops at which an escort must be present. A convoy makes one stop more than it jumps;
 * one may be missed if there are more than two.
 */
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

/** Returns the convoys at a base that still accept escorts, as offers. O(convoys). */
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

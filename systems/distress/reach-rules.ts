/** How far a distress signal is heard: systems by jumps, and who is asked to help. */
import { DISTRESS_RADIUS, RESCUERS_MAX, RESCUES_MAX } from '../../core/limits-posting.ts'
import type { Eid, WorldView } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { isBound } from '../account/rules.ts'
import { Fighting } from '../combat/columns.ts'
import { rescuesOf } from '../mission/progress-rules.ts'
import { seesPoi } from '../sensing/rules.ts'
import { lanesFrom, playersIn, shipOf } from '../travel/rules.ts'

/** Systems around one, a list for each number of jumps; within a ring in the order of the lanes. */
export function ringsAround(view: WorldView, system: Eid): Eid[][] {
  const seen = new Set<Eid>([system])
  const rings: Eid[][] = [[system]]
  for (let jumps = 1; jumps <= DISTRESS_RADIUS; jumps++) {
    const ring: Eid[] = []
    for (const from of rings[jumps - 1]) {
      for (const to of lanesFrom(view, from)) {
        if (seen.has(to)) continue
        seen.add(to)
        ring.push(to)
      }
    }
    rings.push(ring)
  }
  return rings
}

const mayHelp = (view: WorldView, player: Eid, poi: Eid): boolean =>
  isBound(view, player) &&
  view.read(Fighting).participant[shipOf(view, player)] === 0 &&
  rescuesOf(view, player).length < RESCUES_MAX &&
  seesPoi(view, player, poi)

/**
 * Players asked to a rescue: online, not in battle, with room for one more; nearest first, then by
 * number. ours: nobody who cannot know the place. Source: missions.md section 4.
 */
export function rescuersFor(
  view: WorldView,
  sender: Eid,
  poi: Eid,
  rings: readonly (readonly Eid[])[],
): Eid[] {
  const { seq } = view.read(Player)
  const found: Eid[] = []
  for (const ring of rings) {
    const here = ring
      .flatMap((system) => playersIn(view, system))
      .filter((player) => player !== sender && mayHelp(view, player, poi))
    found.push(...here.sort((a, b) => seq[a] - seq[b]))
    if (found.length >= RESCUERS_MAX) break
  }
  return found.slice(0, RESCUERS_MAX)
}

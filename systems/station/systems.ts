/**
 * Invariants of factions' stations, and the guard that refuses to disband a faction with bases.
 * Source: crafting.md section 8.
 */
import { assert } from '../../core/assert.ts'
import { fail } from '../../core/errors.ts'
import { guard } from '../../core/guard.ts'
import type { CheckDef } from '../../core/registry.ts'
import { Base } from '../base/state.ts'
import { treasuryOf } from '../faction/model.ts'
import { disbanding } from '../faction/state.ts'
import { madePlaces } from '../travel/model.ts'
import { Poi, StarSystem } from '../travel/state.ts'
import { baseCount, basesOf, guestsOf, isOutpost, ownerOfBase } from './model.ts'
import {
  GUESTS,
  OUTPOSTS_PER_FACTION_MAX,
  PLAYER_POIS_PER_SYSTEM_MAX,
  STATION_LIST_MAX,
  STATIONS_PER_FACTION_MAX,
} from './state.ts'

/* Invariants */

export const stationsHold: CheckDef = {
  name: 'stations of factions: listed, within their numbers, paid into the treasury of the owner',
  run(view, full) {
    if (!full) return
    const { alive, treasury, manager } = view.read(Base)
    let lists = 0
    for (let base = 1; base <= view.highOf(Base); base++) {
      if (alive[base] === 0) continue
      const { players, factions, banned } = guestsOf(view, base)
      const longest = Math.max(players.length, factions.length, banned.length)
      assert(longest <= STATION_LIST_MAX, `base ${base} lists ${longest} guests`)
      if (longest > 0) lists++
      const faction = ownerOfBase(view, base)
      if (faction === 0) {
        assert(longest === 0 && !isOutpost(view, base), `base ${base} of no faction has guests`)
        continue
      }
      assert(basesOf(view, faction).includes(base), `base ${base} is not listed`)
      const account = treasuryOf(view, faction)
      const isOwners = treasury[base] === account && manager[base] === account
      assert(isOwners, `base ${base} does not use the treasury of its owner`)
      const stations = baseCount(view, faction, false)
      const outposts = baseCount(view, faction, true)
      assert(stations <= STATIONS_PER_FACTION_MAX, `faction ${faction} has ${stations} stations`)
      assert(outposts <= OUTPOSTS_PER_FACTION_MAX, `faction ${faction} has ${outposts} outposts`)
    }
    assert(view.records(GUESTS).size === lists, 'a guest list belongs to no base')
  },
}

export const madePlacesHold: CheckDef = {
  name: 'places of players: chained in their system, no more than it takes',
  run(view, full) {
    if (!full) return
    const { system: systemOf } = view.read(Poi)
    const { alive, madeCount } = view.read(StarSystem)
    for (let system = 1; system <= view.highOf(StarSystem); system++) {
      if (alive[system] === 0 || madeCount[system] === 0) continue
      const made = madePlaces(view, system)
      assert(made.length === madeCount[system], `system ${system} counts ${made.length} places`)
      assert(made.length <= PLAYER_POIS_PER_SYSTEM_MAX, `system ${system} has too many places`)
      assert(
        made.every((poi) => systemOf[poi] === system),
        `system ${system} lists a place of another system`,
      )
    }
  },
}

/* When a faction is disbanded */

/** Refuses while the faction owns bases: they have no other owner. */
export const refuseWhileOwningBases = guard(disbanding, (view, { faction }) => {
  const bases = basesOf(view, faction).length
  return bases > 0 ? fail('faction_owns_bases', { bases }) : undefined
})

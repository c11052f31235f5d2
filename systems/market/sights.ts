/**
 * What players remember of exchanges they looked at: the latest look at each base, as it was then.
 * Looks at one base within a few minutes share what was seen. Source: market.md section 8.
 */
import { assert } from '../../core/assert.ts'
import { immediate } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { SIGHTINGS_PER_PLAYER_MAX } from '../../core/limits.ts'
import { NO_PARAMS } from '../../core/params.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { isNearlyFull } from '../cargo/rules.ts'
import { dockedBase } from '../travel/rules.ts'
import { Sight, Sighting, Sightings, SightQuote } from './columns.ts'
import { noMarket } from './rules.ts'
import { dropIfUnheld, itemsOf, lookNow, lookOf, type SeenExchange } from './sight-rules.ts'

/** What a player remembers, the last look first. */
export function rememberedBy(view: WorldView, player: Eid): SeenExchange[] {
  const { sight, next } = view.read(Sighting)
  const { base, tick } = view.read(Sight)
  const seen: SeenExchange[] = []
  for (let row = view.read(Sightings).first[player]; row !== 0; row = next[row]) {
    const of = sight[row]
    seen.push({ base: base[of], tick: tick[of], items: itemsOf(view, of) })
  }
  return seen
}

/** True if a look of the player now would be remembered as another than the last one. */
export function seesAnew(view: WorldView, player: Eid, base: Eid): boolean {
  const { sight, next } = view.read(Sighting)
  const { base: at, tick } = view.read(Sight)
  for (let row = view.read(Sightings).first[player]; row !== 0; row = next[row]) {
    if (at[sight[row]] === base) return lookOf(tick[sight[row]]) !== lookOf(view.tick)
  }
  return true
}

/** A player forgets a sight. */
function letGo(world: World, row: Row): void {
  world.write(Sight).holders[row]--
  dropIfUnheld(world, row)
}

/** Takes the player's look at a base, or else the oldest of too many, out of the list. */
function forget(world: World, player: Eid, base: Eid): void {
  const list = world.write(Sightings)
  const { sight, next } = world.write(Sighting)
  const { base: at } = world.read(Sight)
  const isFull = list.count[player] >= SIGHTINGS_PER_PLAYER_MAX
  let before = 0
  let row = list.first[player]
  while (row !== 0 && at[sight[row]] !== base && (!isFull || next[row] !== 0)) {
    before = row
    row = next[row]
  }
  if (row === 0) return
  if (before === 0) list.first[player] = next[row]
  else next[before] = next[row]
  list.count[player]--
  letGo(world, sight[row])
  world.release(Sighting, row)
}

/** Remembers what the player sees at a base now, instead of an earlier look. */
export function remember(world: World, player: Eid, base: Eid): void {
  const seen = lookNow(world, base)
  world.write(Sight).holders[seen]++
  forget(world, player, base)
  const list = world.write(Sightings)
  const row = world.take(Sighting)
  const sighting = world.write(Sighting)
  sighting.sight[row] = seen
  sighting.next[row] = list.first[player]
  list.first[player] = row
  list.count[player]++
  assert(list.count[player] <= SIGHTINGS_PER_PLAYER_MAX, 'a player remembers too many exchanges')
}

/** The touch of view_market. While the tables are full nobody remembers anything new. */
export const marketSeen = immediate({
  name: 'internal:market_seen',
  summary: 'A player has looked at the exchange of the base where he is docked.',
  category: 'internal',
  params: NO_PARAMS,
  result: NO_PARAMS,
  needs: [],
  errors: ['no_market', 'limit_reached'],
  run(world, player) {
    const base = dockedBase(world, player)
    if (base === 0 || noMarket(world, base)) return fail('no_market')
    const isFull = [Sight, SightQuote, Sighting].some((table) => isNearlyFull(world, table))
    if (isFull || !seesAnew(world, player, base)) return fail('limit_reached')
    remember(world, player, base)
    return ok({})
  },
})

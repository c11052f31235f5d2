/** Invariants of prizes. Source: RELIABILITY 4 (I9). */
import { assert } from '../../core/assert.ts'
import { PRIZES_CLAIMED_MAX } from '../../core/limits.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { Ship } from '../ship/columns.ts'
import { AT_POI, JUMPING, Location } from '../travel/columns.ts'
import { Flotilla, Prize } from './columns.ts'
import { prizeOf, statusOf } from './holdings.ts'

function prizeHolds(view: WorldView, row: Row): void {
  const { ship, claimant, captor, destination, wait } = view.read(Prize)
  const { owner } = view.read(Ship)
  const { state, poi } = view.read(Location)
  const hull = ship[row]
  const status = statusOf(view, row)
  assert(owner[hull] === 0, `prize ${row} has an owner`)
  assert(prizeOf(view, hull) === row, `hull ${hull} is two prizes`)
  const rests = state[hull] === AT_POI && poi[hull] !== 0
  const flies = status === 'recovering' && state[hull] > AT_POI && state[hull] <= JUMPING
  assert(rests || flies, `prize ${row} lies nowhere`)
  assert((wait[row] !== 0) === (status === 'waiting'), `prize ${row} waits for nothing`)
  assert((destination[row] === 0) === (status === 'unclaimed'), `prize ${row} is aimless`)
  if (status === 'unclaimed') assert(claimant[row] === 0, `prize ${row} is claimed`)
  else assert(claimant[row] !== 0 || captor[row] === 0, `prize ${row} is nobody’s`)
}

export const prizesHold: CheckDef = {
  name: 'I9 prizes: a hull is one prize and nobody’s else, and lies or flies somewhere',
  run(view, full) {
    if (!full) return
    const { alive, claimant } = view.read(Prize)
    const claims = new Map<Row, number>()
    for (let row = 1; row <= view.highOf(Prize); row++) {
      if (alive[row] === 0) continue
      prizeHolds(view, row)
      const player = claimant[row]
      if (player !== 0) claims.set(player, (claims.get(player) ?? 0) + 1)
    }
    const { claimed } = view.read(Flotilla)
    const players = view.read(Player)
    for (let player = 1; player <= view.highOf(Player); player++) {
      if (players.alive[player] === 0) continue
      const count = claims.get(player) ?? 0
      if (claimed[player] !== count) assert(false, `player ${player} has ${count} prizes`)
      if (count > PRIZES_CLAIMED_MAX) assert(false, `player ${player} has too many prizes`)
    }
  },
}

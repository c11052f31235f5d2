/**
 * Boardings under random orders and fire: people are never created, a hull takes part in one
 * boarding at most, and every boarding that starts also ends.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Row } from '../../core/types.ts'
import { Boarding, Link } from '../../systems/boarding/state.ts'
import { boardingsHold } from '../../systems/boarding/systems.ts'
import { Participant, STANCES } from '../../systems/combat/state.ts'
import { prizesHold } from '../../systems/prize/systems.ts'
import { Ship } from '../../systems/ship/state.ts'
import { type Hit, type Stage, stages } from '../unit/boarding/stage.ts'

const SHIPS = 8
const ROUNDS = 25
const freshStage = await stages(SHIPS)

const ship = fc.nat({ max: SHIPS - 1 })
const order = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('board' as const),
      from: ship,
      to: ship,
      marines: fc.integer({ min: 1, max: 30 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('stance' as const),
      from: ship,
      stance: fc.constantFrom(...STANCES.filter((stance) => stance !== 'board')),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('fire' as const),
      from: ship,
      to: ship,
      hull: fc.integer({ min: 1, max: 120 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      from: ship,
      ring: fc.integer({ min: 0, max: 1 }),
    }),
  },
)
type Order = typeof order extends fc.Arbitrary<infer T> ? T : never
const crews = fc.record({ crew: fc.integer({ min: 0, max: 20 }), marines: fc.nat({ max: 23 }) })

interface People {
  readonly fit: number
  readonly hurt: number
}

function peopleOf(scene: Stage, hull: number): People {
  const { crewFit, crewInjured, marinesFit, marinesInjured } = scene.small.world.read(Ship)
  return {
    fit: crewFit[hull] + marinesFit[hull],
    hurt: crewInjured[hull] + marinesInjured[hull],
  }
}

/** Gives an order; returns its fire, which hits in the next round. */
function give(scene: Stage, rows: readonly Row[], given: Order): Hit[] {
  const { world } = scene.small
  const from = rows[given.from]
  if (world.read(Participant).alive[from] === 0) return []
  if (given.kind === 'board') scene.board(from, rows[given.to], given.marines)
  else if (given.kind === 'stance') scene.order(from, given.stance)
  else if (given.kind === 'move') world.write(Participant).ring[from] = given.ring
  else if (world.read(Participant).alive[rows[given.to]] === 1) {
    return [{ attacker: from, target: rows[given.to], hull: given.hull }]
  }
  return []
}

/** Applies the ordered stances of ships that do not board: combat itself does not run here. */
function settleStances(scene: Stage, rows: readonly Row[]): void {
  const part = scene.small.world.write(Participant)
  const board = STANCES.indexOf('board')
  for (const row of rows) {
    const wanted = part.orderStance[row] - 1
    if (wanted < 0 || wanted === board || part.stance[row] === board) continue
    part.stance[row] = wanted
    part.orderStance[row] = 0
  }
}

test('no order or fire creates people, and every boarding ends', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      fc.array(crews, { minLength: SHIPS, maxLength: SHIPS }),
      fc.array(fc.array(order, { maxLength: 5 }), { minLength: ROUNDS, maxLength: ROUNDS }),
      async (people, orders) => {
        const scene = await freshStage()
        const { world } = scene.small
        const rows = people.map((crew, i) =>
          scene.enter({ side: i % 2 === 0 ? 1 : 2, player: scene.players[i], ...crew }),
        )
        const hulls = rows.map((row) => scene.shipOf(row))
        let before = hulls.map((hull) => peopleOf(scene, hull))
        let open = 0
        for (const round of orders) {
          const hits = round.flatMap((given) => give(scene, rows, given))
          settleStances(scene, rows)
          for (const { event, outcome } of scene.round(...hits)) {
            if (event === 'boarding_started') open++
            if (event === 'ended') open--
            if (outcome) seen.add(outcome)
          }
          boardingsHold.run(world, true)
          prizesHold.run(world, true)
          expect(world.countOf(Link)).toBe(open)
          const after = hulls.map((hull) => peopleOf(scene, hull))
          const sum = (groups: readonly People[], key: keyof People) =>
            groups.reduce((total, group) => total + group[key], 0)
          // Some of those no longer fit are hurt, nobody is new; wounded captives are put off.
          expect(sum(after, 'fit')).toBeLessThanOrEqual(sum(before, 'fit'))
          for (const [i, now] of after.entries()) {
            const lost = before[i].fit - now.fit
            expect(now.hurt - before[i].hurt).toBeLessThanOrEqual(Math.max(0, lost))
          }
          before = after
        }
        for (const row of rows) {
          if (world.read(Boarding).link[row] !== 0) scene.order(row, 'brace')
        }
        scene.rounds(12)
        expect(world.countOf(Link)).toBe(0)
      },
    ),
    { numRuns: 12, seed: 7 },
  )
  for (const outcome of ['captured', 'boarding_force_defeated', 'withdrawn', 'target_destroyed']) {
    expect(seen).toContain(outcome)
  }
}, 120_000)

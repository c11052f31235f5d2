/**
 * People are conserved: hired people come out of a pool, moved ones arrive, treatment creates
 * nobody, and a prize takes its crew from its claimant. A prize goes through its states in order.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { onSmallMap } from '../small-world.ts'
import { baseIdsNear, type Fleet, fleets } from './people-fleet.ts'

onSmallMap()

const PLAYERS = 3
const freshFleet = await fleets(PLAYERS)
const who = fc.nat({ max: PLAYERS - 1 })
const few = fc.nat({ max: 6 })

const order = fc.oneof(
  fc.record({ kind: fc.constant('recruit' as const), who, crew: few, marines: few }),
  fc.record({
    kind: fc.constant('transfer' as const),
    who,
    to: fc.nat({ max: PLAYERS + 2 }),
    crew: few,
    marines: few,
    hurt: few,
  }),
  fc.record({ kind: fc.constant('treat' as const), who, crew: few, marines: few }),
  fc.record({
    kind: fc.constant('claim' as const),
    who,
    prize: fc.nat({ max: 2 }),
    far: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('service' as const),
    who,
    prize: fc.nat({ max: 2 }),
    action: fc.constantFrom('stop', 'resume', 'redirect', 'refuel', 'repair'),
    far: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('hurt' as const), prize: fc.nat({ max: 2 }), crew: few }),
  fc.record({ kind: fc.constant('wait' as const), ticks: fc.integer({ min: 1, max: 4 }) }),
)
type Order = typeof order extends fc.Arbitrary<infer T> ? T : never

/** States a prize may be in after a tick, by the state before it; `gone` is delivered. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  unclaimed: ['unclaimed', 'recovering'],
  recovering: ['recovering', 'waiting', 'held', 'gone'],
  waiting: ['waiting', 'recovering', 'held', 'gone'],
  held: ['held', 'recovering'],
  gone: ['gone'],
}

function give(fleet: Fleet, given: Order): void {
  const { small, ids, prizes } = fleet
  const act = (player: number, command: string, params: object) =>
    small.act(fleet.players[player], command, params)
  switch (given.kind) {
    case 'recruit':
      act(given.who, 'recruit_personnel', { crew: given.crew, marines: given.marines })
      break
    case 'transfer':
      act(given.who, 'transfer_personnel', {
        target: [...ids, ...prizes.map(({ id }) => id)][given.to],
        fit_crew: given.crew,
        fit_marines: given.marines,
        injured_crew: given.hurt,
      })
      break
    case 'treat':
      act(given.who, 'treat_personnel', { crew: given.crew, marines: given.marines })
      break
    case 'claim':
      act(given.who, 'claim_prize', {
        prize_id: prizes[given.prize].id,
        destination_base_id: baseIdsNear(fleet)[Number(given.far)],
      })
      break
    case 'service':
      act(given.who, 'service_prize', {
        prize_id: prizes[given.prize].id,
        action: given.action,
        destination_base_id: baseIdsNear(fleet)[Number(given.far)],
      })
      break
    case 'hurt':
      fleet.hurt(given.prize, given.crew)
      break
    case 'wait':
      small.ticks(given.ticks)
  }
}

test('no order creates or loses people, and prizes go through their states in order', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(order, { minLength: 12, maxLength: 25 }), async (orders) => {
      const fleet = await freshFleet()
      let before = fleet.count()
      let states = fleet.states()
      for (const given of orders) {
        give(fleet, given)
        const after = fleet.count()
        expect(after, given.kind).toEqual(before)
        before = after
        const now = fleet.states()
        for (const [i, state] of now.entries()) {
          seen.add(`${states[i]} ${state}`)
          // An order and the ticks after it may make up to three steps.
          const reached = NEXT[states[i]]
            .flatMap((step) => NEXT[step])
            .flatMap((step) => NEXT[step])
          expect(reached, `${states[i]} after ${given.kind}`).toContain(state)
        }
        states = now
      }
    }),
    { numRuns: 15, seed: 11 },
  )
  expect([...seen]).toContain('unclaimed recovering')
}, 240_000)

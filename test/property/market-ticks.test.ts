/**
 * Trade and storage moves of several players through whole ticks, all invariants checked after
 * each: refusals leave no trace, a reloaded world continues alike, and the order of arrival does
 * not matter. Source: RELIABILITY 4 (I5, I12).
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { namedAccount, post } from '../../core/ledger.ts'
import { walletOf } from '../../systems/account/model.ts'
import { Player } from '../../systems/account/state.ts'
import { type Command, type SmallWorld, smallWorld } from '../small-world.ts'

const ITEMS = ['steel_plate', 'fuel_cell', 'iron_ore', 'repair_kit', 'fuel'] as const
const PLAYERS = 4

interface Step {
  readonly player: number
  readonly command: string
  readonly params: Record<string, unknown>
}

const item_id = fc.constantFrom(...ITEMS)
const quantity = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 3_000 }))
const auto_list = fc.boolean()
const source = fc.constantFrom('cargo', 'storage')
const target = fc.constantFrom('storage', 'cargo', 'faction', 'Trader 0', 'Trader 1')

const step = fc.tuple(
  fc.nat(PLAYERS - 1),
  fc.oneof(
    fc.tuple(
      fc.constant('buy'),
      fc.record(
        { item_id, quantity, auto_list, deliver_to: source },
        { requiredKeys: ['item_id', 'quantity'] },
      ),
    ),
    fc.tuple(fc.constant('sell'), fc.record({ item_id, quantity, auto_list })),
    fc.tuple(
      fc.constantFrom('deposit_items', 'withdraw_items'),
      fc.record({ item_id, quantity, source, target }, { requiredKeys: ['item_id', 'quantity'] }),
    ),
  ),
)
const round = fc
  .uniqueArray(step, { minLength: 1, maxLength: PLAYERS, selector: ([player]) => player })
  .map((steps) => steps.map(([player, [command, params]]): Step => ({ player, command, params })))

async function stage(): Promise<SmallWorld> {
  const small = await smallWorld()
  for (let i = 0; i < PLAYERS; i++) {
    const player = small.join(`Trader ${i}`)
    const wallet = walletOf(small.world, player)
    post(small.world, namedAccount('starting_grant'), wallet, 200_000)
  }
  return small
}

/** Runs a round; returns the steps that were accepted. */
function run(small: SmallWorld, steps: readonly Step[]): Step[] {
  const commands = steps.map(
    ({ player, command, params }): Command => ({
      player: small.players[player],
      command,
      params,
    }),
  )
  const answers = small.tick(...commands)
  return steps.filter(({ player }) => answers.get(small.players[player])?.ok)
}

describe('ticks of trade', () => {
  test('leave the same world without the refused commands, in any order of arrival', async () => {
    let accepted = 0
    let refused = 0
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 20, maxLength: 40 }), async (rounds) => {
        const first = await stage()
        const twin = await stage()
        for (const steps of rounds) {
          const done = run(first, steps)
          accepted += done.length
          refused += steps.length - done.length
          run(twin, done.toReversed())
        }
        // The time of a player's last command is stored even if it was refused.
        const lastCommandMs = first.world.read(Player).lastCommandMs as unknown as Float64Array
        twin.world.write(Player).lastCommandMs.set(lastCommandMs)
        expect(twin.hash()).toBe(first.hash())
        const reloaded = await first.reload()
        first.ticks(5)
        reloaded.ticks(5)
        expect(reloaded.hash()).toBe(first.hash())
      }),
      { numRuns: 3 },
    )
    expect(accepted).toBeGreaterThan(20)
    expect(refused).toBeGreaterThan(20)
  }, 300_000)
})

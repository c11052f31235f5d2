/**
 * The golden run: a fixed script in a fixed world. Its hash changes when the rules do; then
 * RULES_VERSION must rise with it, because journal rows replay only under their own rules.
 */
import { expect, test } from 'vitest'
import { EMPIRE_IDS } from '../../core/catalog/index.ts'
import type { Eid } from '../../core/types.ts'
import { RULES_VERSION } from '../../core/version.ts'
import { type SmallWorld, smallWorld } from '../small-world.ts'
import { GOLDEN } from './pinned.ts'

const CYCLES = 3

interface Place {
  readonly id: string
  readonly type: string
  readonly class?: string
  readonly has_base: boolean
}

function placesOf(small: SmallWorld, player: Eid): { belt: string; home: string; next: string } {
  const outcome = small.ask(player, 'get_system')
  if (!outcome.ok) throw new Error(`get_system: ${outcome.code}`)
  const { system } = outcome.result as {
    system: { pois: Place[]; connections: { system_id: string }[] }
  }
  const belt = system.pois.find((poi) => poi.type === 'asteroid_belt')
  const home = system.pois.find((poi) => poi.has_base)
  return { belt: belt?.id ?? '', home: home?.id ?? '', next: system.connections[0].system_id }
}

/** Plays a short day of one player of each empire, in the same ticks wherever possible. */
async function playGolden(): Promise<string> {
  const small = await smallWorld({ seed: 42 })
  const players = EMPIRE_IDS.map((empire, i) => small.join(`Golden ${i + 1}`, empire))
  const places = players.map((player) => placesOf(small, player))
  /** Runs a tick in which every player sends the command. */
  const tickAll = (command: string, params: (i: number) => object): void => {
    small.tick(...players.map((player, i) => ({ player, command, params: params(i) })))
  }
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    tickAll('travel', (i) => ({ target_poi: places[i].belt }))
    small.ticks(8)
    for (let pull = 0; pull < 5; pull++) tickAll('mine', () => ({}))
    tickAll('travel', (i) => ({ target_poi: places[i].home }))
    small.ticks(8)
    tickAll('sell', () => ({ item_id: 'iron_ore', quantity: 4 }))
    tickAll('refuel', () => ({}))
    tickAll('deposit_items', () => ({ item_id: 'fuel_cell', quantity: 1 }))
    for (const player of players) {
      small.ask(player, 'chat', { channel: 'system', content: `Cycle ${cycle}.` })
    }
  }
  tickAll('jump', (i) => ({ target_system: places[i].next }))
  small.ticks(40)
  return small.hash()
}

test('the golden run ends with the hash pinned for this version of the rules', async () => {
  const hash = await playGolden()
  expect(
    { rulesVersion: RULES_VERSION, hash },
    'Rules moved: raise RULES_VERSION in core/version.ts and pin the new pair in pinned.ts.',
  ).toEqual(GOLDEN)
})

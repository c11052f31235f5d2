/** The suggestions, choices, notices and countdown of the console. */
import { describe, expect, it } from 'vitest'
import { choicesFor } from '../../../web/play/choices.ts'
import type { ConsoleOperation } from '../../../web/play/console.ts'
import { suggestionsOf } from '../../../web/play/next.ts'
import { describeNote } from '../../../web/play/notes.ts'
import { type GameState, OUT, type PlayState } from '../../../web/play/state.ts'
import { msUntil, tickNow, ticksAfterWelcome, withSeenTick } from '../../../web/play/ticks.ts'

const NAMES = [
  'accept_mission',
  'complete_mission',
  'dock',
  'undock',
  'mine',
  'travel',
  'sell',
  'refuel',
  'repair',
  'get_skills',
  'install_mod',
  'craft',
]
const operations = new Map(
  NAMES.map((name) => {
    const params =
      name === 'accept_mission' ? [{ name: 'id', type: 'string', required: false }] : []
    return [`game/${name}`, { path: `/api/v2/game/${name}`, params } as unknown as ConsoleOperation]
  }),
)

const SHIP = {
  name: 'Clause',
  class_id: 'clause',
  hull: 97,
  max_hull: 97,
  shield: 51,
  max_shield: 51,
  fuel: 100,
  max_fuel: 100,
  cargo_used: 3,
  cargo_capacity: 66,
}
const POIS = [
  { id: 'port', name: 'Port', type: 'station', has_base: true, base_name: 'Spire' },
  { id: 'ice', name: 'Frost', type: 'asteroid_belt', class: 'ice_field', has_base: false },
  { id: 'belt', name: 'Shoal', type: 'asteroid_belt', has_base: false },
]
const state = (game: GameState, around: PlayState['around'] = {}): PlayState => ({
  ...OUT,
  phase: 'in',
  game: { ship: SHIP, ...game },
  around: { system: { id: 's', name: 'S', pois: POIS, connections: [] }, ...around },
})
const labels = (given: PlayState) => suggestionsOf(given, operations).map(({ label }) => label)

describe('the list of suggestions', () => {
  it('starts with the command that a hint of the server names', () => {
    const hint = 'It is the next step: game/accept_mission with id new_pilot_1 before you do it.'
    const [first] = suggestionsOf(
      state({ hints: [hint], location: { docked_at: 'b' } }),
      operations,
    )
    expect(first).toEqual({
      label: 'Accept mission',
      why: hint,
      call: expect.objectContaining({
        address: 'game/accept_mission',
        payload: { id: 'new_pilot_1' },
      }),
    })
  })

  it('shows a hint without a complete command as text only', () => {
    const hints = ['Sell some of it with game/accept_mission.']
    const [first] = suggestionsOf(state({ hints, location: {} }), operations)
    expect(first).toEqual({ label: '', why: hints[0] })
  })

  it('completes finished missions before it continues open ones', () => {
    const mission = { type: 'training', description: '', title: 'Dig', mission_id: 'm' }
    const missions = {
      max_missions: 5,
      active: [
        {
          ...mission,
          title: 'Open',
          percent_complete: 40,
          objectives: [
            { type: 'x', description: 'Mine 10', current: 4, required: 10, completed: false },
          ],
        },
        { ...mission, percent_complete: 100 },
      ],
    }
    const found = suggestionsOf(state({ missions, location: {} }), operations)
    expect(found[0].call).toEqual({ address: 'game/complete_mission', payload: { id: 'm' } })
    expect(found[1]).toEqual({ label: '', why: 'Open: Mine 10 (4 of 10)' })
  })

  it('sells goods but not supplies at a market', () => {
    const item = { size: 1, quantity: 4 }
    const cargo = [
      { ...item, item_id: 'iron_ore', item_name: 'Iron Ore' },
      { ...item, item_id: 'fuel_cell', item_name: 'Fuel Cell' },
    ]
    const location = { docked_at: 'spire', poi_id: 'port' }
    expect(labels(state({ cargo, location }, { services: ['market'] }))).toEqual([
      'Sell 4 Iron Ore',
      'Travel to Shoal',
      'Undock',
    ])
    expect(labels(state({ cargo, location }, { services: [] }))).toEqual([
      'Travel to Shoal',
      'Undock',
    ])
  })

  it('fits modules rather than selling them', () => {
    const cargo = [{ size: 1, quantity: 1, item_id: 'mining_laser_i', item_name: 'Mining Laser I' }]
    const game = { cargo, location: { docked_at: 'spire' } }
    expect(labels(state(game, { services: ['market'] }))[0]).toBe('Fit Mining Laser I')
  })

  it('crafts the remaining quantity of an objective that names a recipe', () => {
    const objective = {
      type: 'x',
      description: 'Make 3',
      current: 1,
      required: 3,
      completed: false,
    }
    const sources = ['Made by the recipe smelt_iron.']
    const mission = { type: 'training', description: '', title: 'T', mission_id: 'm' }
    const active = [{ ...mission, percent_complete: 30, objectives: [{ ...objective, sources }] }]
    const game = { missions: { active, max_missions: 5 }, location: { docked_at: 'spire' } }
    const [first] = suggestionsOf(state(game), operations)
    expect(first.call).toEqual({
      address: 'game/craft',
      payload: { id: 'smelt_iron', quantity: 2 },
    })
  })

  it('refuels and repairs a ship that needs it', () => {
    const ship = { ...SHIP, fuel: 40, hull: 12, cargo_used: 66 }
    const game = { ship, location: { docked_at: 'spire' } }
    const services = ['refuel', 'repair']
    expect(labels(state(game, { services }))).toEqual(['Refuel', 'Repair', 'Undock'])
  })

  it('mines at a belt, and travels home with a full hold', () => {
    const location = { docked_at: null, poi_id: 'belt' }
    expect(labels(state({ location }))).toEqual(['Mine', 'Travel to Port'])
    const dry = { ...SHIP, fuel: 20 }
    expect(labels(state({ ship: dry, location }))).toEqual(['Travel to Port', 'Mine'])
    const ship = { ...SHIP, cargo_used: 66 }
    expect(labels(state({ ship, location }))).toEqual(['Travel to Port'])
  })

  it('skips ice, and docks first if the ship needs a station', () => {
    const labelsAt = (poi_id: string, ship = SHIP) =>
      labels(state({ ship, location: { docked_at: null, poi_id } }))
    expect(labelsAt('ice')).toEqual(['Travel to Shoal', 'Travel to Port'])
    expect(labelsAt('port')).toEqual(['Travel to Shoal', 'Dock'])
    expect(labelsAt('port', { ...SHIP, fuel: 9 })).toEqual(['Dock', 'Travel to Shoal'])
  })

  it('is empty in transit', () => {
    expect(labels(state({ location: { in_transit: true } }))).toEqual([])
  })
})

describe('choices of a field', () => {
  it('offers the places of the system except the current one', () => {
    const current = state({ location: { poi_id: 'port' } })
    const places = choicesFor(current, 'game/travel', 'id').map(({ value }) => value)
    expect(places).toEqual(['ice', 'belt'])
    expect(choicesFor(current, 'game/travel', 'other')).toEqual([])
  })
})

describe('a notice', () => {
  it('is a sentence for known types, and a list of fields for others', () => {
    const payload = { quantity: 4, resource_name: 'Iron Ore' }
    expect(describeNote({ type: 'mining_yield', payload })).toBe('Mined 4 Iron Ore')
    expect(
      describeNote({ type: 'drone_scan', payload: { drone_id: 'd', tick: 4, found: [] } }),
    ).toBe('Drone scan: drone id d')
    expect(describeNote({ type: 'x', payload: { message: 'y'.repeat(900) } })).toHaveLength(200)
  })
})

describe('the countdown', () => {
  it('runs from the arrival of one tick to the next, and is a guess before the first', () => {
    const first = ticksAfterWelcome(10, 7, 0)
    expect(msUntil(first, 4_000)).toBe(10_000)
    const ticks = withSeenTick(first, 8, 5_000)
    expect(tickNow(ticks, 5_000)).toBe(8)
    expect(msUntil(ticks, 7_000)).toBe(8_000)
    expect(msUntil(ticks, 7_000, 11)).toBe(28_000)
    expect(msUntil(ticks, 16_000)).toBe(9_000)
    expect(msUntil(ticks, 99_000, 11)).toBe(0)
  })

  it('ignores a tick that is old or was seen before', () => {
    const ticks = withSeenTick(ticksAfterWelcome(10, 7, 0), 8, 5_000)
    expect(withSeenTick(ticks, 8, 9_000)).toBe(ticks)
    expect(withSeenTick(ticks, 6, 9_000)).toBe(ticks)
  })
})

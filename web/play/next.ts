/**
 * Suggests what a player might do next, as commands to send with one click: from the hints of the
 * server, the missions and the place of the ship. Best first.
 */
import { formatId } from '../parts/format.ts'
import type { Call, ConsoleOperation } from './console.ts'
import type { Cargo, Mission, PlayState, Poi, Ship } from './state.ts'
import { firstCommandIn } from './words.ts'

interface Suggestion {
  /** The text of the button; unused for advice without a command. */
  readonly label: string
  readonly why: string
  readonly call?: Call
}

type Operations = ReadonlyMap<string, ConsoleOperation>

/** With less than this share of fuel or hull, a station is suggested first. */
const LOW_SHARE = 0.3
const SUGGESTIONS_MAX = 8
/** Goods of a new pilot's hold that are meant to be used, not sold. */
const SUPPLIES: ReadonlySet<string> = new Set(['fuel_cell', 'repair_kit'])

/**
 * Matches modules numbered by mark: `mining_laser_i`. Those without a mark (`warp_disruptor`) count
 * as goods, since the cargo does not tell them apart.
 */
const MODULE = /_[ivx]+$/

const call = (address: string, payload: Call['payload'] = {}): Call => ({ address, payload })

const fromHints = ({ game }: PlayState, operations: Operations): Suggestion[] =>
  (game.hints ?? []).map((hint) => {
    const named = firstCommandIn(hint, operations)
    const operation = named && operations.get(named.address)
    // A button needs all required parameters, and at least one value if there are parameters; else
    // the command's name in the text opens its form.
    const isWhole =
      operation?.params.every(({ name, required }) => !required || name in named!.payload) ?? false
    const hasPayload = Object.keys(named?.payload ?? {}).length > 0
    return named && isWhole && (hasPayload || operation?.params.length === 0)
      ? { label: labelOf(named.address), why: hint, call: named }
      : { label: '', why: hint }
  })

/** Returns the label of a command: `Accept mission` for `game/accept_mission`. */
export const labelOf = (address: string): string => formatId(address.split('/')[1] ?? address)

const isDone = ({ objectives = [], percent_complete }: Mission): boolean =>
  percent_complete >= 100 ||
  (objectives.length > 0 && objectives.every(({ completed }) => completed))

/** Returns whether a hint already names the mission. */
const isHinted = ({ hints = [] }: PlayState['game'], mission: Mission): boolean =>
  [mission.mission_id, mission.template_id, mission.title].some(
    (name) => name && hints.some((hint) => hint.includes(name)),
  )

const RECIPE = /\bby the recipe ([a-z0-9_]+)/

/** Suggests the next open objective of a mission; with its recipe, if the item can be crafted. */
function stepOf({ title, objectives = [] }: Mission, isDocked: boolean): Suggestion[] {
  const open = objectives.find(({ completed }) => !completed)
  if (!open) return []
  const { type, description, current, required, sources = [], in_cargo = 0, in_storage = 0 } = open
  const why = [`${title}: ${description} (${current} of ${required})`, ...sources].join(' ')
  const [, recipe] = isDocked ? (RECIPE.exec(sources.join(' ')) ?? []) : []
  // A delivery counts only at its destination; goods aboard, or stored here, exist already. What
  // all players contribute together is more than this one should craft.
  const existing = type === 'deliver_item' ? Math.max(current, in_cargo + in_storage) : current
  if (!recipe || existing >= required || type === 'contribute') return [{ label: '', why }]
  const payload = { id: recipe, quantity: required - existing }
  return [
    { label: `Craft: ${recipe.replaceAll('_', ' ')}`, why, call: call('game/craft', payload) },
  ]
}

function fromMissions({ game, around }: PlayState): Suggestion[] {
  const active = game.missions?.active ?? []
  const isDocked = Boolean(game.location?.docked_at)
  const done = active
    .filter((mission) => isDone(mission) && !isHinted(game, mission))
    .map(({ mission_id, title, rewards }) => ({
      label: `Hand in “${title}”`,
      why: rewards?.credits ? `It is done and pays ${rewards.credits} credits.` : 'It is done.',
      call: call('game/complete_mission', { id: mission_id }),
    }))
  const open = active
    .filter((mission) => !isDone(mission))
    .flatMap((mission) => stepOf(mission, isDocked))
  const known = new Set(active.map(({ template_id }) => template_id))
  const training = (around.offered ?? [])
    .filter(({ type, template_id }) => type === 'training' && !known.has(template_id))
    .filter((mission) => !isHinted(game, mission))
    .slice(0, 1)
    .map(({ mission_id, title, description }) => ({
      label: `Accept “${title}”`,
      why: description,
      call: call('game/accept_mission', { id: mission_id }),
    }))
  return [...done, ...(isDocked ? training : []), ...open]
}

const travelTo = ({ id, name }: Poi, why: string): Suggestion => ({
  label: `Travel to ${name}`,
  why,
  call: call('game/travel', { id }),
})

function docked({ game, around }: PlayState): Suggestion[] {
  const { ship, cargo = [] } = game
  if (!ship) return []
  const services = around.services ?? []
  const fittings = cargo
    .filter(({ item_id }) => MODULE.test(item_id))
    .slice(0, 2)
    .map(({ item_id, item_name }) => ({
      label: `Fit ${item_name}`,
      why: 'It is in the hold, and works only when it is fitted.',
      call: call('game/install_mod', { id: item_id }),
    }))
  // Exchanges take no packages and notes: `package:…`, `note:…`.
  const isGoods = ({ item_id }: Cargo) =>
    !item_id.includes(':') && !SUPPLIES.has(item_id) && !MODULE.test(item_id)
  const sales = cargo
    .filter((item) => services.includes('market') && isGoods(item))
    .slice(0, 3)
    .map(({ item_id, item_name, quantity }) => ({
      label: `Sell ${quantity} ${item_name}`,
      why: 'It is sold at the best price offered here.',
      call: call('game/sell', { id: item_id, quantity }),
    }))
  const next: Suggestion[] = [...fittings, ...sales]
  if (ship.fuel < ship.max_fuel && services.includes('refuel'))
    next.push({
      label: 'Refuel',
      why: `${ship.fuel} of ${ship.max_fuel} fuel.`,
      call: call('game/refuel'),
    })
  if (ship.hull < ship.max_hull && services.includes('repair'))
    next.push({
      label: 'Repair',
      why: `Hull at ${ship.hull} of ${ship.max_hull}.`,
      call: call('game/repair'),
    })
  const belt = around.system?.pois.find(isMinable)
  if (belt && ship.cargo_used < ship.cargo_capacity)
    next.push(travelTo(belt, 'Ore can be mined there; the ship undocks automatically.'))
  return [...next, { label: 'Undock', why: 'Leave the station.', call: call('game/undock') }]
}

const isMinable = ({ type, class: kind }: Poi): boolean =>
  type === 'asteroid_belt' && kind !== 'ice_field'

/** Returns whether fuel or hull of a ship is low. */
const isLow = ({ fuel, max_fuel, hull, max_hull }: Ship) =>
  fuel < max_fuel * LOW_SHARE || hull < max_hull * LOW_SHARE

function inSpace({ game, around }: PlayState): Suggestion[] {
  const { ship, location = {} } = game
  if (!ship) return []
  const pois = around.system?.pois ?? []
  const here = pois.find(({ id }) => id === location.poi_id)
  const isFull = ship.cargo_used >= ship.cargo_capacity
  const isWorn = isLow(ship)
  const whyStation = isFull
    ? 'The hold is full.'
    : isWorn
      ? 'Fuel or hull is low.'
      : 'There is a station.'
  const toBase: Suggestion[] = here?.has_base
    ? [{ label: 'Dock', why: here.base_name ?? here.name, call: call('game/dock') }]
    : pois
        .filter(({ has_base }) => has_base)
        .slice(0, 1)
        .map((base) => travelTo(base, whyStation))
  if (isFull) return toBase
  if (here && isMinable(here)) {
    const why = `${ship.cargo_used} of ${ship.cargo_capacity} in the hold.`
    const mine: Suggestion = { label: 'Mine', why, call: call('game/mine') }
    return isWorn ? [...toBase, mine] : [mine, ...toBase]
  }
  const belt = pois.find(isMinable)
  const toBelt = belt ? [travelTo(belt, 'Ore can be mined there.')] : []
  return isWorn ? [...toBase, ...toBelt] : [...toBelt, ...toBase]
}

/** Returns suggestions for what the player might do next. */
export function suggestionsOf(state: PlayState, operations: Operations): readonly Suggestion[] {
  const { game } = state
  const { location } = game
  if (!location || location.in_transit) return []
  const isDocked = Boolean(location.docked_at)
  const found = [
    ...fromHints(state, operations),
    ...fromMissions(state),
    ...(isDocked ? docked(state) : inSpace(state)),
  ]
  const known = new Set<string>()
  const isNew = ({ call: made, why }: Suggestion) => {
    const key = made ? JSON.stringify(made) : why
    if (known.has(key)) return false
    known.add(key)
    return made === undefined || operations.has(made.address)
  }
  return found.filter(isNew).slice(0, SUGGESTIONS_MAX)
}

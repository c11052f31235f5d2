/**
 * Suggestions for the value of a parameter from the player's own state, such as places to travel to
 * or items in the hold. The field itself accepts any text.
 */
import type { PlayState } from './state.ts'

interface Choice {
  readonly value: string
  readonly label: string
}

type Source = (state: PlayState) => readonly Choice[]

const CHOICES_MAX = 100

const pois: Source = ({ around, game }) =>
  (around.system?.pois ?? [])
    .filter(({ id }) => id !== game.location?.poi_id)
    .map(({ id, name, type }) => ({ value: id, label: `${name}, ${type.replaceAll('_', ' ')}` }))

const lanes: Source = ({ around }) =>
  (around.system?.connections ?? []).map(({ system_id, name }) => ({
    value: system_id,
    label: name,
  }))

const cargo: Source = ({ game }) =>
  (game.cargo ?? []).map(({ item_id, item_name, quantity }) => ({
    value: item_id,
    label: `${item_name}, ${quantity} in the hold`,
  }))

const offered: Source = ({ around }) =>
  (around.offered ?? []).map(({ mission_id, title }) => ({ value: mission_id, label: title }))

const active: Source = ({ game }) =>
  (game.missions?.active ?? []).map(({ mission_id, title, percent_complete }) => ({
    value: mission_id,
    label: `${title}, ${percent_complete} %`,
  }))

const modules: Source = ({ game }) =>
  (game.modules ?? []).map(({ module_id, name }) => ({
    value: String(module_id),
    label: String(name),
  }))

const players: Source = ({ game }) =>
  (game.location?.nearby_players ?? [])
    .filter(({ username }) => username !== undefined && username !== '')
    .map(({ username = '', ship_class = '' }) => ({ value: username, label: ship_class }))

const foes: Source = (state) => [
  ...players(state),
  ...(state.game.location?.nearby_pirates ?? []).map(({ pirate_id, name, tier }) => ({
    value: pirate_id,
    label: `${name}, ${tier}`,
  })),
]

const channels: Source = () =>
  ['system', 'local', 'faction', 'private'].map((value) => ({ value, label: '' }))

/** Sources of suggestions, by address and parameter, separated by a space. */
const SOURCES: Readonly<Record<string, Source>> = {
  'game/travel id': pois,
  'game/jump id': lanes,
  'game/sell id': cargo,
  'game/use_item id': cargo,
  'game/install_mod id': cargo,
  'game/jettison id': cargo,
  'game/uninstall_mod id': modules,
  'game/repair_module id': modules,
  'game/accept_mission id': offered,
  'game/complete_mission id': active,
  'game/abandon_mission id': active,
  'game/scan id': foes,
  'game/attack id': foes,
  'game_storage/deposit item_id': cargo,
  'game_market/create_sell_order item_id': cargo,
  'game_social/chat target': channels,
  'game_social/chat target_id': players,
  'game_social/get_chat_history target': channels,
}

/** Returns the suggestions for a parameter; most have none. */
export const choicesFor = (state: PlayState, address: string, param: string): readonly Choice[] =>
  (SOURCES[`${address} ${param}`]?.(state) ?? []).slice(0, CHOICES_MAX)

/**
 * Renders results whose text clients parse: first lines, labels and table headers are fixed.
 * Source: WIRE 9.4, 9.7, 9.9.
 */
import { counted, say } from '../../core/say.ts'
import {
  cell,
  field,
  fieldsOf,
  genericLines,
  listOf,
  ratio,
  table,
  textLines,
  withCommas,
} from './table.ts'

/** Renders a result as lines. */
type Form = (result: unknown) => string[]

/** Renders the dashboard of `get_status`, from the v1 result or the v2 sections. */
const status: Form = (result) => {
  const player = fieldsOf(result, 'player')
  const ship = fieldsOf(result, 'ship')
  const location = fieldsOf(result, 'location')
  const system = location.system_name ?? location.system_id ?? player.current_system
  const credits = player.credits ?? field(result, 'credits')
  const docked = location.docked_at ?? player.docked_at_base
  const lines = [
    `${cell(player.username)} [${cell(player.empire)}] | ${withCommas(credits)}cr | ${cell(system)}`,
    `Ship: ${cell(ship.name)} (${cell(ship.class_name ?? ship.class_id)})`,
    `Hull: ${ratio(ship.hull, ship.max_hull)}`,
    `Shield: ${ratio(ship.shield, ship.max_shield)}`,
    `Fuel: ${ratio(ship.fuel, ship.max_fuel)}`,
    `Cargo: ${ratio(ship.cargo_used, ship.cargo_capacity)}`,
  ]
  const poi = location.poi_name ?? location.poi_id ?? player.current_poi
  if (location.in_transit === true) lines.push(transitLine(location))
  else if (poi !== undefined) lines.push(`At: ${cell(poi)}`)
  if (docked !== undefined && docked !== null && docked !== '')
    lines.push(`Docked at: ${cell(docked)}`)
  lines.push(...cargoLines(result, ship), ...moduleLines(result), ...skillLines(result))
  const prizes = listOf(result, 'prize_recoveries')
  if (prizes.length > 0) lines.push('', ...prizeTable(prizes))
  const active = listOf(fieldsOf(result, 'missions'), 'active')
  if (active.length > 0) lines.push('', ...missionTable(active))
  if (fieldsOf(result, 'queue').has_pending === true) lines.push('', 'An action is pending.')
  const hints = listOf(result, 'hints')
  if (hints.length > 0) lines.push('', 'Next:', ...hints.map((hint) => `- ${cell(hint)}`))
  return lines
}

function transitLine(location: Readonly<Record<string, unknown>>): string {
  const to = location.transit_dest_poi_name ?? location.transit_dest_system_name
  return `In transit to: ${cell(to)}, arrival tick ${cell(location.transit_arrival_tick)}`
}

function cargoLines(result: unknown, ship: Readonly<Record<string, unknown>>): string[] {
  const section = listOf(result, 'cargo')
  const rows = section.length > 0 ? section : listOf(ship, 'cargo')
  if (rows.length === 0) return []
  return [
    '',
    ...table(`Cargo (${rows.length} items)`, rows, [
      ['item', (row) => field(row, 'item_id')],
      ['qty', (row) => field(row, 'quantity')],
      ['size', (row) => field(row, 'size')],
    ]),
  ]
}

function moduleLines(result: unknown): string[] {
  const rows = listOf(result, 'modules')
  if (rows.length === 0) return []
  return [
    '',
    ...table(`Modules (${rows.length})`, rows, [
      ['id', (row) => field(row, 'module_id') ?? field(row, 'id')],
      ['name', (row) => field(row, 'name')],
      ['type', (row) => field(row, 'type_id') ?? field(row, 'type')],
      ['slot', (row) => field(row, 'slot')],
      ['wear', (row) => field(row, 'wear_status') ?? field(row, 'wear')],
      ['ammo', (row) => field(row, 'current_ammo')],
    ]),
  ]
}

const levelOf = (skill: unknown): unknown =>
  typeof skill === 'number' ? skill : field(skill, 'level')

/** Lists the trained skills and counts the others. */
function skillLines(result: unknown): string[] {
  const all = Object.entries(fieldsOf(result, 'skills'))
  if (all.length === 0) return []
  const rows = all.filter(([, skill]) => levelOf(skill) !== 0 || field(skill, 'xp') !== 0)
  const rest = all.length - rows.length
  return [
    '',
    ...table(`Skills (${rows.length})`, rows, [
      ['skill', ([id]) => id],
      ['level', ([, skill]) => levelOf(skill)],
      ['xp', ([, skill]) => field(skill, 'xp')],
      ['next', ([, skill]) => field(skill, 'next_level_xp')],
    ]),
    ...(rest > 0 ? [say`Untrained: ${rest}; {get_skills} lists them.`] : []),
  ]
}

const system: Form = (result) => {
  const place = fieldsOf(result, 'system')
  if (place.id === undefined) return genericLines(result)
  const security = field(result, 'security_status') ?? place.security_status
  const pois = listOf(place, 'pois')
  const connections = listOf(place, 'connections')
  const police = field(result, 'police_level') ?? place.police_level
  const lines = [
    `System: ${cell(place.name)} (${cell(place.id)}) | Empire: ${cell(place.empire ?? 'none')} | Security: ${cell(security)}${police === undefined ? '' : `, police_level ${cell(police)}`}`,
  ]
  const here = fieldsOf(result, 'poi')
  if (here.id !== undefined) lines.push(`At: ${cell(here.name)} (${cell(here.id)})`)
  return [
    ...lines,
    '',
    ...table(`POIs (${pois.length})`, pois, [
      ['id', (poi) => field(poi, 'id')],
      ['name', (poi) => field(poi, 'name')],
      ['type', (poi) => field(poi, 'type')],
      ['class', (poi) => field(poi, 'class')],
      ['base', (poi) => field(poi, 'base_id')],
      ['online', (poi) => field(poi, 'online')],
    ]),
    '',
    ...table(`Connections (${connections.length})`, connections, [
      ['system_id', (lane) => field(lane, 'system_id')],
      ['name', (lane) => field(lane, 'name')],
      ['distance', (lane) => field(lane, 'distance')],
    ]),
  ]
}

/** Renders a price; empty if there is no order. */
const price = (value: unknown): string =>
  typeof value === 'number' && value > 0 ? `${value}cr` : ''
const units = (value: unknown): string =>
  typeof value === 'number' && value > 0 ? String(value) : ''

const market: Form = (result) => {
  const items = listOf(result, 'items')
  const station = cell(field(result, 'base') ?? field(result, 'base_id'))
  if (items.length === 0) {
    const message = field(result, 'message')
    return [typeof message === 'string' ? cell(message) : `No orders at ${station}.`]
  }
  const lines = table(`Market summary at ${station} (${items.length} items)`, items, [
    ['category', (item) => field(item, 'category')],
    ['item_id', (item) => field(item, 'item_id')],
    ['item_name', (item) => field(item, 'item_name')],
    ['best_sell', (item) => price(field(item, 'best_sell'))],
    ['best_buy', (item) => price(field(item, 'best_buy'))],
    ['spread', (item) => price(field(item, 'spread'))],
    ['sell_qty', (item) => units(field(item, 'best_sell_qty') ?? field(item, 'sell_quantity'))],
    ['buy_qty', (item) => units(field(item, 'best_buy_qty') ?? field(item, 'buy_quantity'))],
  ])
  return items.length === 1 ? [...lines, ...bookLines(items[0])] : lines
}

function bookLines(item: unknown): string[] {
  const side = (title: string, name: string): string[] => {
    const rows = listOf(item, name)
    if (rows.length === 0) return []
    return [
      '',
      ...table(`${title} (${rows.length})`, rows, [
        ['price', (row) => price(field(row, 'price_each'))],
        ['quantity', (row) => field(row, 'quantity')],
        ['source', (row) => field(row, 'source')],
      ]),
    ]
  }
  return [...side('Sell orders', 'sell_orders'), ...side('Buy orders', 'buy_orders')]
}

const notifications: Form = (result) => {
  const rows = listOf(result, 'notifications')
  const message = field(result, 'message')
  const first = typeof message === 'string' ? [message] : []
  if (rows.length === 0) return first.length > 0 ? first : ['No notifications.']
  return [
    ...first,
    ...table(`Notifications (${rows.length})`, rows, [
      ['timestamp', (row) => field(row, 'timestamp')],
      ['type', (row) => field(row, 'type')],
      ['event', (row) => field(row, 'msg_type')],
      ['data', (row) => field(row, 'data')],
    ]),
    `Remaining: ${cell(field(result, 'remaining') ?? 0)}`,
  ]
}

/** Renders an objective: its progress, its target system, the sources of its goods. */
function objectiveCell(objective: unknown): string {
  const { description, current, required, completed, system_name, jumps } = fieldsOf(
    { objective },
    'objective',
  )
  const text = cell(description)
  const system = cell(system_name)
  const notes = [
    ...(system === '' || text.includes(system) ? [] : [`in ${system}`]),
    ...(completed === true ? ['done'] : required === undefined ? [] : [ratio(current, required)]),
  ]
  if (typeof jumps === 'number') notes.push(`${counted(jumps, 'jump')} away`)
  const sources = completed === true ? [] : listOf(objective, 'sources').map(cell)
  return [text, ...(notes.length > 0 ? [`(${notes.join(', ')})`] : []), ...sources].join(' ')
}

/** Renders the goods among the rewards: `fuel_cell 5`. */
const rewardItems = (row: unknown): string =>
  Object.entries(fieldsOf(field(row, 'rewards'), 'items'))
    .map(([id, units]) => `${id} ${cell(units)}`)
    .join(', ')

const prizeTable = (rows: readonly unknown[]): string[] =>
  table(
    `Prizes on their way (${rows.length})`,
    rows,
    ['prize_id', 'ship_class', 'status', 'wait_reason', 'system_id', 'destination_base_id'].map(
      (name): [string, (row: unknown) => unknown] => [name, (row) => field(row, name)],
    ),
  )

function missionTable(rows: readonly unknown[]): string[] {
  const columns: [string, (row: unknown) => unknown][] = [
    ['id', (row) => field(row, 'mission_id')],
    ['title', (row) => field(row, 'title')],
    ['type', (row) => field(row, 'type')],
    ['percent', (row) => field(row, 'percent_complete')],
    ['credits', (row) => field(field(row, 'rewards'), 'credits')],
    ['expires_in_ticks', (row) => field(row, 'expires_in_ticks')],
    ['objectives', (row) => listOf(row, 'objectives').map(objectiveCell).join('; ')],
  ]
  if (rows.some((row) => rewardItems(row) !== '')) columns.push(['items', rewardItems])
  if (rows.some((row) => listOf(row, 'warnings').length > 0))
    columns.push(['warnings', (row) => listOf(row, 'warnings').map(cell).join(' ')])
  return table(`Missions (${rows.length})`, rows, columns)
}

/** Returns the form of a list of missions; `none` is the text of an empty list. */
const missions =
  (none: string): Form =>
  (result) => {
    const listed = listOf(result, 'missions')
    const rows = listed.length > 0 ? listed : listOf(fieldsOf(result, 'missions'), 'active')
    return rows.length === 0 ? [none] : missionTable(rows)
  }

/**
 * Renders login and register: the player with the ids that clients look for, then the dashboard.
 */
const loggedIn: Form = (result) => {
  const player = fieldsOf(result, 'player')
  const lines: string[] = []
  const message = field(result, 'message')
  if (typeof message === 'string') lines.push(cell(message))
  const password = field(result, 'password')
  if (typeof password === 'string') lines.push(`Password: ${password}`)
  const id = field(result, 'player_id') ?? player.id
  if (id !== undefined) lines.push(`Player ID: ${cell(id)}`)
  const session = field(result, 'session_id')
  if (typeof session === 'string') lines.push(`Session ID: ${session}`)
  return player.username === undefined
    ? [...lines, ...restOf(result)]
    : [...lines, '', ...status({ ...(result as object), location: locationOf(result) })]
}

/** Renders a login without a player: a pending device login. */
function restOf(result: unknown): string[] {
  if (typeof result !== 'object' || result === null) return []
  const {
    message: _,
    session_id: __,
    password: ___,
    player_id: ____,
    ...rest
  } = result as Record<string, unknown>
  return genericLines(rest)
}

function locationOf(result: unknown): Record<string, unknown> {
  const player = fieldsOf(result, 'player')
  const place = fieldsOf(result, 'system')
  const poi = fieldsOf(result, 'poi')
  return {
    system_name: place.name,
    poi_name: poi.name,
    docked_at: player.docked_at_base,
    ...fieldsOf(result, 'location'),
  }
}

const cargo: Form = (result) => {
  const ship = fieldsOf(result, 'ship')
  const used = ship.cargo_used ?? field(result, 'used') ?? field(result, 'cargo_used')
  const capacity =
    ship.cargo_capacity ?? field(result, 'capacity') ?? field(result, 'cargo_capacity')
  const head =
    used === undefined || capacity === undefined ? [] : [`Cargo: ${ratio(used, capacity)}`]
  const rows = cargoLines(result, ship)
  return rows.length > 0 ? [...head, ...rows] : [...head, 'The hold is empty.']
}

const guide: Form = (result) => {
  const content = field(result, 'content')
  return typeof content === 'string' ? textLines(content) : genericLines(result)
}

/** Lists every command without a limit: a model that reads only the text has no other list. */
const commands: Form = (result) => {
  const described = (row: unknown): string =>
    `${field(row, 'is_mutation') === true ? '[M] ' : ''}${cell(field(row, 'description'))}`
  const actions = listOf(result, 'actions').map((row) => {
    const [tool, action] = [cell(field(row, 'tool')), cell(field(row, 'action'))]
    return `  ${action === '' ? tool : `${tool}/${action}`} — ${described(row)}`
  })
  const flat = listOf(result, 'commands').map(
    (row) => `  ${cell(field(row, 'format'))} — ${described(row)}`,
  )
  const lines = [...actions, ...flat]
  return [
    `Commands (${lines.length}), mutations marked [M]; help with a name as topic explains one:`,
    ...lines,
  ]
}

/** Forms by command name; both versions share the names. */
export const FORMS: Readonly<Partial<Record<string, Form>>> = {
  get_status: status,
  get_state: status,
  get_system: system,
  get_cargo: cargo,
  get_guide: guide,
  get_commands: commands,
  view_market: market,
  get_notifications: notifications,
  get_active_missions: missions('No active missions.'),
  get_missions: missions('No missions are offered here.'),
  completed_missions: missions('No missions completed yet.'),
  login: loggedIn,
  login_token: loggedIn,
  login_link_poll: loggedIn,
  register: loggedIn,
}

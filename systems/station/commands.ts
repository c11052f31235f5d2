/**
 * The command `station`: one command with an action on v1, one address per action on v2. One table
 * makes both. Source: crafting.md section 8.
 */
import { type ActionRow, actionCommands, missingRefusal } from '../../core/action-table.ts'
import { type ErrorCode, fail, ok } from '../../core/errors.ts'
import { TEXT_CHARACTERS_MAX } from '../../core/limits.ts'
import { bool, choice, int, ref, str, type TSchema } from '../../core/params.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/model.ts'
import { baseId, baseName } from '../base/model.ts'
import { factionOf, memberRefusal, permissionRefusal } from '../faction/model.ts'
import { notifyFaction } from '../faction/rules.ts'
import { logAction } from '../log/rules.ts'
import { dockedBase } from '../travel/location-model.ts'
import { DOCKED } from '../travel/needs.ts'
import { isOutpost, ownerOfBase } from './model.ts'
import { configSchema, nameParam } from './schemas.ts'
import {
  allowFaction,
  allowPlayer,
  ban,
  removeFaction,
  removePlayer,
  type Setting,
  type StationRequest,
  setAutoBuyFuel,
  setBuildPolicy,
  setDescription,
  setMarketFee,
  setName,
  setPublic,
  setRefuelPrice,
  setRepairPrice,
  setServiceAccess,
  unban,
} from './settings-commands.ts'
import {
  GATED_SERVICES,
  SERVICE_ACCESS,
  STATION_FEE_PCT_MAX,
  STATION_FUEL_PRICE_MAX,
  STATION_REPAIR_PRICE_MAX,
} from './state.ts'
import { renderConfig } from './views.ts'

const PARAMS = {
  access: choice('Who may use the service.', SERVICE_ACCESS),
  allow_outsiders: bool('Non-members may build here.'),
  auto_buy_fuel: bool('The treasury pays pilots for fuel.'),
  description: str('What visitors read.', { max: TEXT_CHARACTERS_MAX }),
  faction: ref(
    'faction',
    str('Id of a faction, or its tag in any case.', { min: 1, example: 'FREE' }),
  ),
  fee_percent: int(`Listing fee of outsiders, 0 to ${STATION_FEE_PCT_MAX} %; 0 is the usual one.`, {
    example: 3,
  }),
  name: nameParam(),
  player: str('Id or name of a player.', { min: 1, example: 'Vesna' }),
  price: int(
    `Credits: a unit of fuel 0 to ${STATION_FUEL_PRICE_MAX}, a point of hull 0 to ` +
      `${STATION_REPAIR_PRICE_MAX}; 0 is the usual price.`,
    { example: 8 },
  ),
  public: bool('Everybody who is not banned may dock.'),
  service: str(`One of ${GATED_SERVICES.join(', ')}.`, { min: 1, example: 'market' }),
} as const satisfies Record<keyof StationRequest, TSchema>

/** A setting: its action, the parameters it takes, and the function that applies it. */
interface Action {
  readonly name: string
  /** Its name on v2, where that differs. */
  readonly v2?: string
  readonly kind: 'mutation' | 'immediate'
  readonly summary: string
  readonly required?: readonly (keyof StationRequest)[]
  readonly optional?: readonly (keyof StationRequest)[]
  readonly errors?: readonly ErrorCode[]
  /** Whether outposts have the setting too. */
  readonly atOutposts?: true
  readonly set: Setting
}

const LIST_ERRORS = ['player_not_found', 'limit_reached'] as const

const ACTIONS: readonly Action[] = [
  {
    name: 'set_name',
    v2: 'station_set_name',
    kind: 'immediate',
    summary: 'Name the base of your faction where you are docked; ten times a day at most.',
    required: ['name'],
    errors: ['invalid_name', 'name_taken', 'limit_reached'],
    atOutposts: true,
    set: setName,
  },
  {
    name: 'set_description',
    kind: 'mutation',
    summary: 'Set what visitors of your station read.',
    optional: ['description'],
    errors: ['too_long'],
    atOutposts: true,
    set: setDescription,
  },
  {
    name: 'set_public',
    kind: 'mutation',
    summary: 'Let everybody dock at your station, or members and guests alone.',
    optional: ['public'],
    set: setPublic,
  },
  {
    name: 'set_build_policy',
    kind: 'mutation',
    summary: 'Let non-members build facilities at your station, or not.',
    optional: ['allow_outsiders'],
    set: setBuildPolicy,
  },
  {
    name: 'set_auto_buy_fuel',
    kind: 'mutation',
    summary: 'Have the treasury pay pilots for fuel that fills the tank of your station, or not.',
    optional: ['auto_buy_fuel'],
    set: setAutoBuyFuel,
  },
  {
    name: 'set_service_access',
    kind: 'mutation',
    summary: 'Say who may use a service of your station.',
    required: ['service', 'access'],
    errors: ['invalid_service'],
    set: setServiceAccess,
  },
  {
    name: 'set_market_fee',
    kind: 'mutation',
    summary: 'Set the listing fee that outsiders pay to your treasury.',
    optional: ['fee_percent'],
    errors: ['invalid_price'],
    set: setMarketFee,
  },
  {
    name: 'set_refuel_price',
    kind: 'mutation',
    summary: 'Set the price of fuel at your station; effective after 30 ticks.',
    optional: ['price'],
    errors: ['invalid_price'],
    set: setRefuelPrice,
  },
  {
    name: 'set_repair_price',
    kind: 'mutation',
    summary: 'Set what outsiders pay for repair at your station; effective after 30 ticks.',
    optional: ['price'],
    errors: ['invalid_price'],
    set: setRepairPrice,
  },
  {
    name: 'allow_player',
    kind: 'mutation',
    summary: 'Let a player dock at your station though it is not public.',
    required: ['player'],
    errors: LIST_ERRORS,
    set: allowPlayer,
  },
  {
    name: 'remove_player',
    kind: 'mutation',
    summary: 'Take a player off the list of those let in.',
    required: ['player'],
    errors: ['player_not_found'],
    set: removePlayer,
  },
  {
    name: 'ban',
    kind: 'mutation',
    summary:
      'Keep a player from docking at your station; a player who is docked stays until they undock.',
    required: ['player'],
    errors: LIST_ERRORS,
    set: ban,
  },
  {
    name: 'unban',
    kind: 'mutation',
    summary: 'Take a player off the list of those kept out.',
    required: ['player'],
    errors: ['player_not_found'],
    set: unban,
  },
  {
    name: 'allow_faction',
    kind: 'mutation',
    summary: 'Let the members of a faction dock at your station though it is not public.',
    required: ['faction'],
    errors: ['faction_not_found', 'limit_reached'],
    set: allowFaction,
  },
  {
    name: 'remove_faction',
    kind: 'mutation',
    summary: 'Take a faction off the list of those let in.',
    required: ['faction'],
    errors: ['faction_not_found'],
    set: removeFaction,
  },
]

/**
 * Returns the parameters that a call must give although the contract calls them optional: switches
 * and prices have no default.
 */
const mandatoryOptionals = ({ optional: more = [] }: Action): readonly (keyof StationRequest)[] =>
  more.filter((name) => name !== 'description')

const SHARED_ERRORS = [
  'not_docked',
  'in_transit',
  'not_your_base',
  'not_in_faction',
  'no_permission',
  'outpost_unsupported',
  'invalid_payload',
] as const

/**
 * Refuses a player who may not see the settings: not_docked, in_transit, not_in_faction,
 * not_your_base.
 */
function viewRefusal(view: WorldView, player: Eid) {
  const refused = DOCKED.check(view, player) ?? memberRefusal(view, player)
  if (refused) return refused
  const isOwn = ownerOfBase(view, dockedBase(view, player)) === factionOf(view, player)
  return isOwn ? undefined : fail('not_your_base')
}

function settingRefusal(view: WorldView, player: Eid, action: Action, request: StationRequest) {
  const refused = viewRefusal(view, player) ?? permissionRefusal(view, player, 'manage_bases')
  if (refused) return refused
  if (isOutpost(view, dockedBase(view, player)) && action.atOutposts !== true) {
    return fail('outpost_unsupported', { action: action.name })
  }
  return missingRefusal(action.name, mandatoryOptionals(action), request)
}

function applySetting(world: World, player: Eid, action: Action, request: StationRequest) {
  const refused = settingRefusal(world, player, action, request)
  if (refused) return refused
  const base = dockedBase(world, player)
  const outcome = action.set(world, base, request, player)
  if (typeof outcome !== 'string') return outcome
  const message = `${usernameOf(world, player)} at ${baseName(world, base)}: ${outcome}`
  const details = { base_id: baseId(world, base) }
  const faction = factionOf(world, player)
  notifyFaction(world, faction, { event: 'base_changed', actor: player, message, details })
  logAction(world, player, 'faction', `station_${action.name}`, outcome, details)
  return ok(renderConfig(world, base, action.name, outcome))
}

function showConfig(view: WorldView, player: Eid) {
  const refused = viewRefusal(view, player)
  return refused ?? ok(renderConfig(view, dockedBase(view, player), 'info'))
}

const INFO: ActionRow<StationRequest> = {
  name: 'info',
  v2: 'station_info',
  kind: 'query',
  summary: 'Show the settings of the base of your faction where you are docked.',
  needs: [],
  errors: ['not_docked', 'in_transit', 'not_in_faction', 'not_your_base'],
  result: configSchema,
  run: showConfig,
}

/**
 * Makes the row of an action. Only a mutation docks automatically; an immediate checks when it
 * runs.
 */
function rowOf(action: Action): ActionRow<StationRequest> {
  const { name, v2, summary, required, optional, errors = [] } = action
  const shared = {
    name,
    v2,
    summary,
    required,
    optional,
    result: configSchema,
    errors: [...SHARED_ERRORS, ...errors],
    run: (world: World, player: Eid, request: StationRequest) =>
      applySetting(world, player, action, request),
  }
  return action.kind === 'mutation'
    ? { ...shared, kind: 'mutation', needs: [DOCKED] }
    : { ...shared, kind: 'immediate', needs: [] }
}

export const stationCommands = actionCommands<StationRequest>({
  name: 'station',
  tool: 'game_facility',
  category: 'facility',
  summary: 'Administer the station or outpost of your faction where you are docked.',
  params: PARAMS,
  rows: [INFO, ...ACTIONS.map(rowOf)],
  changes: ['location'],
  help: {
    description: 'Says who may dock at a base of your faction, who is served there, and for what.',
    notes: [
      'Prices and fees are for outsiders; a price change takes effect after 30 ticks.',
      'A banned player cannot dock, whatever list they are on; members of the owner always can.',
    ],
  },
})

/**
 * The commands that citizens send besides their work: about factions, wars, missions, stations,
 * freight, passengers, citizenship, notes and chat. They are drawn from the citizen's dice and what
 * the world shows; many of them are refused, as they would be for players.
 */
import { EMPIRE_IDS, FACILITIES } from '../../core/catalog/index.ts'
import type { Dice } from '../../core/dice.ts'
import type { Eid, World } from '../../core/types.ts'
import { baseId, capitalOf } from '../../systems/base/model.ts'
import { inBattle } from '../../systems/combat/model.ts'
import { Membership } from '../../systems/faction/state.ts'
import { missionId, missionsOf } from '../../systems/mission/model.ts'
import { dockedBase, systemOf } from '../../systems/travel/location-model.ts'
import { poiId, poisOf, systemId } from '../../systems/travel/model.ts'
import type { Wish } from '../driven-world.ts'
import { type Citizen, CLAN_SIZE, clanOf, nameOf, tagOf, wish } from './citizen.ts'

/** The society as a citizen sees it. */
export interface Sight {
  readonly world: World
  readonly clans: number
  readonly citizens: number
  /** Where the clan fights. */
  front(clan: number): Eid
  /** Draws the id of a mission, shipment or package on offer where the citizen is docked. */
  offered(citizen: Citizen, what: 'mission' | 'shipment' | 'package'): string | undefined
}

type Make = (sight: Sight, citizen: Citizen, dice: Dice) => Wish | undefined

/** Draws the tag of another clan. */
const rival = ({ clans }: Sight, { clan }: Citizen, dice: Dice): string =>
  tagOf((clan + 1 + dice.below(Math.max(1, clans - 1))) % clans)

/** Draws the name of a citizen, mostly one of the same clan. */
const somebody = ({ citizens }: Sight, { clan }: Citizen, dice: Dice): string => {
  const index = dice.below(citizens)
  return dice.chance(70) && clanOf(index) !== clan
    ? nameOf(clan * CLAN_SIZE + dice.below(CLAN_SIZE))
    : nameOf(index)
}

const say = (dice: Dice): string =>
  dice.pick(['Clear skies.', 'Convoy at the gate in ten.', 'Who sells plates?', 'Hold the line.'])

const SERVICES = FACILITIES.filter(({ level }) => (level ?? 1) === 1).map(({ id }) => id)
const empire = (dice: Dice): string => dice.pick(EMPIRE_IDS)

const DIPLOMACY: readonly Make[] = [
  'faction_declare_war',
  'faction_propose_peace',
  'faction_accept_peace',
  'faction_propose_ally',
  'faction_accept_ally',
  'faction_remove_ally',
  'faction_set_enemy',
  'faction_remove_enemy',
].map(
  (command): Make =>
    (sight, citizen, dice) =>
      wish(citizen, command, { target_faction_id: rival(sight, citizen, dice) }),
)

const OFFICE: readonly Make[] = [
  (sight, citizen, dice) =>
    wish(citizen, 'faction_invite', { player_id: somebody(sight, citizen, dice) }),
  (sight, citizen, dice) =>
    wish(citizen, 'faction_promote', {
      player_id: somebody(sight, citizen, dice),
      role_id: dice.pick(['officer', 'member', 'recruit']),
    }),
  (sight, citizen, dice) =>
    wish(citizen, 'faction_kick', { player_id: somebody(sight, citizen, dice) }),
  (_, citizen, dice) =>
    wish(citizen, 'faction_create_role', {
      name: `Role ${dice.below(30)}`,
      priority: 2 + dice.below(98),
      permissions: dice.half(['invite', 'kick', 'broadcast', 'manage_treasury']),
    }),
  (_, citizen, dice) => wish(citizen, 'faction_deposit_credits', { amount: 1 + dice.below(500) }),
  (_, citizen, dice) => wish(citizen, 'faction_withdraw_credits', { amount: 1 + dice.below(500) }),
  (_, citizen) => wish(citizen, 'faction_edit', { ally_facility_access: true }),
  (_, citizen, dice) =>
    wish(citizen, 'facility', { action: 'faction_build', facility_type: dice.pick(SERVICES) }),
  (_, citizen, dice) =>
    wish(citizen, 'faction_post_mission', {
      title: 'Ore for the yards',
      description: 'Bring it where it is needed.',
      type: 'supply',
      objectives: [{ type: 'deliver_item', item_id: 'iron_ore', quantity: 1 + dice.below(5) }],
      rewards: { credits: 10 + dice.below(100) },
      ...(dice.chance(50) ? { triggers: ['open_to_all'] } : {}),
    }),
  (_, citizen, dice) =>
    wish(citizen, 'faction_write_room', {
      name: `Room ${dice.below(5)}`,
      description: say(dice),
      access: dice.pick(['public', 'members', 'officers']),
    }),
  (_, citizen) => wish(citizen, 'espionage'),
  (sight, citizen) =>
    wish(citizen, 'faction_submit_intel', {
      systems: [{ system_id: systemId(sight.world, systemOf(sight.world, citizen.player)) }],
    }),
  (sight, citizen, dice) => {
    const pois = poisOf(sight.world, systemOf(sight.world, citizen.player))
    return pois.length === 0
      ? undefined
      : wish(citizen, 'faction_scan_poi', { poi_id: poiId(sight.world, dice.pick(pois)) })
  },
]

const FOUNDING: readonly Make[] = [
  (_, citizen, dice) =>
    wish(citizen, 'build_base', {
      name: `Haven ${citizen.clan} ${dice.below(9)}`,
      public_access: true,
    }),
  (_, citizen, dice) =>
    wish(citizen, 'build_outpost', { name: `Post ${citizen.clan} ${dice.below(99)}` }),
  (_, citizen) => wish(citizen, 'dismantle_outpost'),
  (_, citizen, dice) => wish(citizen, 'station', { action: 'set_public', public: dice.chance(70) }),
  (_, citizen, dice) =>
    wish(citizen, 'station', { action: 'set_market_fee', fee_percent: dice.below(11) }),
  (sight, citizen, dice) =>
    wish(citizen, 'station', {
      action: dice.pick(['ban', 'unban', 'allow_player', 'remove_player']),
      player: somebody(sight, citizen, dice),
    }),
]

const LIFE: readonly Make[] = [
  (sight, citizen) => {
    const mission_id = sight.offered(citizen, 'mission')
    return mission_id === undefined ? undefined : wish(citizen, 'accept_mission', { mission_id })
  },
  (sight, citizen, dice) => {
    const open = missionsOf(sight.world, citizen.player)
    if (open.length === 0) return undefined
    const mission_id = missionId(sight.world, dice.pick(open))
    return wish(citizen, dice.chance(85) ? 'complete_mission' : 'abandon_mission', { mission_id })
  },
  (_, citizen, dice) =>
    wish(citizen, 'distress_signal', { distress_type: dice.pick(['fuel', 'repair', 'combat']) }),
  (_, citizen, dice) =>
    wish(citizen, 'citizenship', {
      action: dice.pick(['apply', 'apply', 'withdraw', 'renounce']),
      empire_id: empire(dice),
    }),
  (sight, citizen) => {
    const package_id = sight.offered(citizen, 'package')
    return package_id === undefined
      ? undefined
      : wish(citizen, 'shipping', { action: 'post', package_id, base_reward: 50 })
  },
  (sight, citizen) => {
    const shipment_id = sight.offered(citizen, 'shipment')
    return shipment_id === undefined
      ? undefined
      : wish(citizen, 'shipping', { action: 'accept', shipment_id })
  },
  ({ world }, citizen, dice) =>
    wish(citizen, 'load_passenger', {
      destination: baseId(world, capitalOf(world, dice.below(5))),
    }),
  (_, citizen, dice) => wish(citizen, 'petition', { empire_id: empire(dice), message: say(dice) }),
]

/** Commands that need no tick. */
const TALK: readonly Make[] = [
  (_, citizen, dice) =>
    wish(citizen, 'chat', {
      channel: dice.pick(['local', 'system', 'faction']),
      content: say(dice),
    }),
  (_, citizen, dice) => wish(citizen, 'set_status', { status_message: say(dice) }),
  (_, citizen, dice) => wish(citizen, 'create_note', { title: 'A note', content: say(dice) }),
  (_, citizen) => wish(citizen, 'captains_log_add', { entry: 'Another day.' }),
]

const DRIFT: readonly Make[] = [
  (_, citizen) => wish(citizen, 'leave_faction'),
  (sight, citizen, dice) =>
    wish(citizen, 'join_faction', { faction_id: rival(sight, citizen, dice) }),
  (_, citizen) => wish(citizen, 'faction_accept_invite', { faction_id: tagOf(citizen.clan) }),
  (_, citizen, dice) =>
    wish(citizen, 'create_faction', {
      name: `Splinter ${dice.below(900)}`,
      tag: `S${String(dice.below(900)).padStart(3, '0')}`,
    }),
  ...['create', 'leave', 'disband', 'accept'].map(
    (action): Make =>
      (_, citizen) =>
        wish(citizen, 'fleet', { action }),
  ),
  (sight, citizen, dice) =>
    wish(citizen, 'fleet', { action: 'invite', player_id: somebody(sight, citizen, dice) }),
]

const draw = (table: readonly Make[], ...args: Parameters<Make>): Wish | undefined =>
  args[2].pick(table)(...args)

/** Draws a command by calling; undefined when the citizen fights or works instead. */
export function wishOf(sight: Sight, citizen: Citizen): Wish | undefined {
  const { dice, player } = citizen
  if (inBattle(sight.world, player)) return undefined
  const isMember = sight.world.read(Membership).faction[player] !== 0
  switch (citizen.calling) {
    case 'leader':
      if (!isMember) return draw(DRIFT, sight, citizen, dice)
      if (dockedBase(sight.world, player) === 0)
        return draw(FOUNDING.slice(0, 2), sight, citizen, dice)
      return draw(dice.pick([DIPLOMACY, OFFICE, OFFICE, FOUNDING]), sight, citizen, dice)
    case 'officer':
      return draw(dice.pick([OFFICE, LIFE, FOUNDING]), sight, citizen, dice)
    case 'soldier':
      return dice.chance(5) ? draw(LIFE, sight, citizen, dice) : undefined
    case 'worker':
      return dice.chance(15) ? draw(LIFE, sight, citizen, dice) : undefined
    default:
      return draw(dice.chance(30) ? DRIFT : LIFE, sight, citizen, dice)
  }
}

/** Draws, in a few ticks of a hundred, a command that needs no tick. */
export const chatOf = (sight: Sight, citizen: Citizen): Wish | undefined =>
  citizen.dice.chance(2) ? draw(TALK, sight, citizen, citizen.dice) : undefined

/**
 * A society of bots: clans with leaders who make war and peace, soldiers at the front, workers who
 * mine, trade and craft, and drifters who join and leave. Every command goes through the real
 * engine; only warships and starting credits are written into the world directly.
 */
import { craft } from '../../cli/bots/crafter.ts'
import { mine } from '../../cli/bots/miner.ts'
import type { Role } from '../../cli/bots/moves.ts'
import { trade } from '../../cli/bots/trader.ts'
import { assert } from '../../core/assert.ts'
import { FACILITIES, itemIndex, shipClassIndex } from '../../core/catalog/index.ts'
import { isMutation } from '../../core/command.ts'
import { createDice } from '../../core/dice.ts'
import { namedContainer } from '../../core/goods.ts'
import { namedAccount, post } from '../../core/ledger.ts'
import type { WorldImage } from '../../core/ports.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { isBound, statOf, walletOf } from '../../systems/account/model.ts'
import { Player } from '../../systems/account/state.ts'
import { combatantId, combatantOf, inBattle, participantsOf } from '../../systems/combat/model.ts'
import { Participant } from '../../systems/combat/state.ts'
import { addFacility } from '../../systems/facility/lifecycle-rules.ts'
import { OF_FACTION, ONLINE } from '../../systems/facility/state.ts'
import { addMember, foundFaction } from '../../systems/faction/member-rules.ts'
import { MEMBER, OFFICER } from '../../systems/faction/role-model.ts'
import { Membership } from '../../systems/faction/state.ts'
import { detainingEmpire } from '../../systems/law/model.ts'
import { loadCargo } from '../../systems/ship/model.ts'
import { dockedBase, poiOf } from '../../systems/travel/location-model.ts'
import { poisOf } from '../../systems/travel/model.ts'
import { placeInSpace } from '../../systems/travel/rules.ts'
import { POI_TYPES, Poi, StarSystem } from '../../systems/travel/state.ts'
import { type DrivenWorld, driveWorld, empireOf, type Reply, type Wish } from '../driven-world.ts'
import { arm, replaceShip } from '../sim/arming.ts'
import { type Citizen, CLAN_SIZE, callingOf, clanOf, nameOf, tagOf, wish } from './citizen.ts'
import { chatOf, type Sight, wishOf } from './wishes.ts'

const WORK: Readonly<Record<string, Role>> = { miner: mine, trader: trade, crafter: craft }
const TRADES = ['miner', 'trader', 'crafter', 'miner', 'trader'] as const
/** Capacity in entities for each citizen: ships, orders, lots and more. */
const ENTITIES_A_CITIZEN = 60
const ENTITIES_MIN = 20_000
const PURSE_CREDITS = 2_000
/** Credits of a leader: they pay for a station, services and the rewards of missions. */
const WAR_CHEST_CREDITS = 20_000_000
const GUNS = [itemIndex('pulse_laser_ii'), itemIndex('pulse_laser_ii')]
/** A hull with room for the parts of a station. */
const FREIGHTER = shipClassIndex('provender')
/** Members of a clan at the start, its leader included: as many as a new faction may have. */
const FIRST_MEMBERS = 18
const FOUNDING_KITS = ['station_core', 'outpost_kit']
/** Chance in each tick that a soldier at home sets out again, %. */
const MARCH_PCT = 4
/** Chances in each tick that an online citizen disconnects, and an offline one comes back, %. */
const AWAY_PCT = 1
const BACK_PCT = 20

interface SocietyOptions {
  readonly seed: number
  readonly players: number
  readonly workers?: number
  /** Ticks between full checks of all invariants. */
  readonly checkEvery?: number
}

interface Income {
  readonly calling: Citizen['calling']
  readonly credits: number
  readonly ticks: number
}

interface Society {
  readonly driven: DrivenWorld
  /** Counts of answers by command and code, and of events by type. */
  readonly answers: ReadonlyMap<string, number>
  readonly events: ReadonlyMap<string, number>
  /** Returns what each citizen earned so far, and the ticks they were online. */
  incomes(): readonly Income[]
  tick(): Promise<void>
  /** Continues in a world loaded from the image of this one, as after a restart. */
  restart(workers?: number): Promise<void>
  close(): Promise<void>
}

/** Clans that fight at the same place. */
const CLANS_A_FRONT = 4
const SUN = POI_TYPES.indexOf('sun')

interface Ground {
  /** By clan: where it fights, and where its leader begins. */
  readonly fronts: readonly Eid[]
  readonly sites: readonly Eid[]
}

/** Returns places in unclaimed systems without stations: fronts and sites of the clans. */
function groundFor(world: World, clans: number): Ground {
  const { alive, police, empire } = world.read(StarSystem)
  const { base, hidden, type } = world.read(Poi)
  const open: Eid[] = []
  for (let row = 1; row <= world.highOf(StarSystem); row++) {
    if (alive[row] === 0 || police[row] !== 0 || empire[row] !== 0) continue
    const pois = poisOf(world, row)
    const site = pois.find((poi) => hidden[poi] === 0 && type[poi] !== SUN)
    if (site !== undefined && pois.every((poi) => base[poi] === 0)) open.push(site)
  }
  assert(open.length >= 2 * clans, 'there are too few lawless places')
  const each = Array.from({ length: clans }, (_, clan) => clan)
  return {
    fronts: each.map((clan) => open[Math.trunc(clan / CLANS_A_FRONT)]),
    sites: each.map((clan) => open[open.length - 1 - clan]),
  }
}

/** Builds every service that a faction may have, at its home base. */
function buildServices(world: World, faction: Row, base: Eid): void {
  const owner = { kind: OF_FACTION, player: 0, faction }
  for (const [type, { level, faction_service_type }] of FACILITIES.entries()) {
    if (faction_service_type === undefined || level !== 1) continue
    addFacility(world, { type, base, owner, status: ONLINE })
  }
}

/** Registers the citizens, founds their clans and gives leaders what founding a station takes. */
function settle(driven: DrivenWorld, seed: number, players: number): Citizen[] {
  const { world } = driven
  const { sites } = groundFor(world, Math.ceil(players / CLAN_SIZE))
  const dice = createDice(seed)
  const grant = namedAccount('starting_grant')
  const citizens = Array.from({ length: players }, (_, index): Citizen => {
    const name = nameOf(index)
    const player = driven.join(name, empireOf(clanOf(index)))
    const calling = callingOf(index)
    const own = dice.branch(name)
    const isRich = calling === 'leader'
    post(world, grant, walletOf(world, player), isRich ? WAR_CHEST_CREDITS : PURSE_CREDITS)
    const bot = {
      player,
      role: TRADES[index % TRADES.length],
      home: dockedBase(world, player),
      dice: own,
      restTick: 0,
    }
    return { player, name, calling, clan: clanOf(index), dice: own, bot, restTick: 0 }
  })
  for (const { clan, calling, player } of citizens) {
    if (calling !== 'leader') continue
    const faction = foundFaction(world, player, `Clan ${clan}`, tagOf(clan))
    const clanStart = clan * CLAN_SIZE
    for (const member of citizens.slice(clanStart + 1, clanStart + FIRST_MEMBERS)) {
      addMember(world, member.player, faction, member.calling === 'officer' ? OFFICER : MEMBER)
    }
    buildServices(world, faction, dockedBase(world, player))
    const ship = replaceShip(world, player, FREIGHTER, [])
    placeInSpace(world, ship, sites[clan])
    for (const item of FOUNDING_KITS) {
      loadCargo(world, ship, namedContainer('supply'), itemIndex(item), 1)
    }
  }
  return citizens
}

/** Attacks somebody of another clan at the same place. */
function attack(world: World, citizens: readonly Citizen[], citizen: Citizen): Wish | undefined {
  const place = poiOf(world, citizen.player)
  const { faction } = world.read(Membership)
  const foes = citizens.filter(
    ({ player }) =>
      poiOf(world, player) === place &&
      player !== citizen.player &&
      (faction[player] === 0 || faction[player] !== faction[citizen.player]),
  )
  return foes.length === 0
    ? undefined
    : wish(citizen, 'attack', { target_id: citizen.dice.pick(foes).name })
}

/** Draws an order in battle. */
function orderOf(world: World, citizen: Citizen): Wish | undefined {
  const row = combatantOf(world, citizen.player)
  if (row === 0 || !citizen.dice.chance(30)) return undefined
  const { battle, side } = world.read(Participant)
  const foes = participantsOf(world, battle[row]).filter((other) => side[other] !== side[row])
  if (foes.length === 0) return undefined
  const target_id = combatantId(world, citizen.dice.pick(foes))
  return wish(
    citizen,
    'battle',
    citizen.dice.pick([
      { action: 'advance' },
      { action: 'advance' },
      { action: 'target', target_id },
      { action: 'stance', stance: citizen.dice.pick(['fire', 'evade', 'brace', 'flee']) },
    ]),
  )
}

/** Arms soldiers who are at home and not detained, and puts them at the front of their clan. */
function march(world: World, citizens: readonly Citizen[], fronts: readonly Eid[]): void {
  for (const { player, clan, calling, dice } of citizens) {
    if (calling !== 'soldier' || inBattle(world, player) || !dice.chance(MARCH_PCT)) continue
    if (dockedBase(world, player) === 0 || detainingEmpire(world, player) >= 0) continue
    placeInSpace(world, arm(world, player, { modules: GUNS, isBoarder: false }), fronts[clan])
  }
}

/** Draws who disconnects and who comes back online. */
function presenceChanges(world: World, citizens: readonly Citizen[]): Wish[] {
  return citizens.flatMap(({ player, dice }) => {
    const params = { player: world.read(Player).seq[player], channel: 'ws' }
    if (isBound(world, player)) {
      return dice.below(100) < AWAY_PCT ? [{ player: 0, command: 'internal:unbind', params }] : []
    }
    return dice.chance(BACK_PCT) ? [{ player: 0, command: 'internal:bind', params }] : []
  })
}

/** Queries of things on offer: the command, the list in its result and the field of the id. */
const OFFERS = {
  mission: ['get_missions', 'missions', 'mission_id'],
  shipment: ['shipping', 'shipments', 'shipment_id'],
  package: ['list_packages', 'packages', 'package_id'],
} as const

/** Draws the id of something on offer where the citizen is. */
function drawOffer(driven: DrivenWorld, { player, dice }: Citizen, what: keyof typeof OFFERS) {
  const [command, list, id] = OFFERS[what]
  if (!driven.registry.commands.has(command)) return undefined
  const params = command === 'shipping' ? { action: 'list' } : {}
  const [reply] = driven.now([{ player, command, params }])
  if (!reply?.outcome.ok) return undefined
  const rows = (reply.outcome.result as Record<string, Record<string, string>[]>)[list] ?? []
  return rows.length === 0 ? undefined : dice.pick(rows)[id]
}

export async function openSociety(options: SocietyOptions): Promise<Society> {
  const { seed, players, checkEvery = 50 } = options
  const maxEntities = Math.max(ENTITIES_MIN, players * ENTITIES_A_CITIZEN)
  const shape = { seed, maxEntities, checkEvery }
  let driven = await driveWorld({ ...shape, workers: options.workers ?? 0 })
  const citizens = settle(driven, seed, players)
  const clans = Math.max(1, Math.ceil(players / CLAN_SIZE))
  const { fronts } = groundFor(driven.world, clans)
  const byPlayer = new Map(citizens.map((citizen) => [citizen.player, citizen]))
  const answers = new Map<string, number>()
  const events = new Map<string, number>()
  const ticksOnline = new Map<Eid, number>()
  const count = (counts: Map<string, number>, key: string): void => {
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const note = (replies: readonly Reply[]): void => {
    for (const { player, command, outcome } of replies) {
      if (command.startsWith('internal:')) continue
      count(answers, `${command} ${outcome.ok ? 'ok' : outcome.code}`)
      const citizen = byPlayer.get(player)
      if (!citizen || outcome.ok) continue
      citizen.bot.restTick = driven.world.tick + 1 + citizen.dice.below(5)
      if (citizen.bot.role !== 'miner') citizen.bot.plan = undefined
    }
    for (const { type } of driven.emissions) count(events, type)
  }
  const sight: Sight = {
    get world() {
      return driven.world
    },
    clans,
    citizens: citizens.length,
    front: (clan) => fronts[clan],
    offered: (citizen, what) => drawOffer(driven, citizen, what),
  }
  const commandOf = (citizen: Citizen): Wish | undefined => {
    const { world } = driven
    const wish = wishOf(sight, citizen)
    if (wish) return wish
    if (citizen.calling === 'soldier') {
      return citizen.dice.chance(30) && dockedBase(world, citizen.player) === 0
        ? attack(world, citizens, citizen)
        : undefined
    }
    return citizen.calling === 'worker' && citizen.bot.restTick <= world.tick
      ? WORK[citizen.bot.role](world, citizen.bot)
      : undefined
  }
  const takesTick = ({ command }: Wish): boolean => {
    const def = driven.registry.commands.get(command)
    return def !== undefined && isMutation(def)
  }
  const isKnown = ({ command }: Wish): boolean => driven.registry.commands.has(command)
  return {
    get driven() {
      return driven
    },
    answers,
    events,
    incomes: () =>
      citizens.map(({ player, calling }) => ({
        calling,
        credits: statOf(driven.world, player, 'credits_earned'),
        ticks: ticksOnline.get(player) ?? 0,
      })),
    async tick() {
      const { world } = driven
      march(world, citizens, fronts)
      note(driven.now(presenceChanges(world, citizens)))
      const online = citizens.filter(({ player }) => isBound(world, player))
      for (const { player } of online) ticksOnline.set(player, (ticksOnline.get(player) ?? 0) + 1)
      const immediate = online.flatMap(
        (citizen) => orderOf(world, citizen) ?? chatOf(sight, citizen) ?? [],
      )
      note(driven.now(immediate.filter(isKnown)))
      const wishes = online.flatMap((citizen) => commandOf(citizen) ?? []).filter(isKnown)
      note(driven.now(wishes.filter((wish) => !takesTick(wish))))
      const free = wishes.filter(({ player, command }) => driven.isFree(player, command))
      note(driven.tick(free.filter(takesTick)))
      await driven.settled()
    },
    async restart(workers = options.workers ?? 0) {
      const from: WorldImage = driven.image()
      await driven.close()
      driven = await driveWorld({ ...shape, workers, from })
    },
    close: () => driven.close(),
  }
}

/**
 * Fighters hunt pirates in packs, mostly where there are only scouts, sometimes in lawless space.
 * They fire at the weakest target, advance until it is in range, reload empty weapons, flee with a
 * damaged hull, repair at home, and begin again after a death.
 */
import type { Params } from '../client.ts'
import { routeTo, rows } from './atlas.ts'
import { act, ask, asParams, type Bot, rest, type Strategy, updateStatus } from './bot.ts'
import { miner } from './miner.ts'
import { battleOf, dockAt, getAway, goTo, recordHere, sellAll, service } from './moves.ts'
import { joinPack } from './packs.ts'

const HULL_PCT_FLEE = 40
const HULL_PCT_HUNT = 60
/** Up to this police level there are scouts; with no police at all, pirates of all kinds. */
const SCOUTS_POLICE_MAX = 20
/** One in this many sorties goes to lawless space. */
const LAWLESS_EVERY = 4
const BATTLE_TICKS_MAX = 80
/** Places visited per sortie. */
const PLACES_MAX = 4
/** How long a fighter waits at a place for pirates to come. */
const LURKING_TICKS = 3
/** With fewer credits a fighter mines first, since fuel and repairs cost. */
const CREDITS_LOW = 80

/** Returns the nearest system for this sortie. */
function huntingSystem(bot: Bot, sortie: number): string | undefined {
  const isLawless = sortie % LAWLESS_EVERY === 0
  const route = routeTo(bot.atlas, bot.home.systemId, (system) => {
    const police = bot.atlas.systems.get(system)?.police ?? 100
    return isLawless ? police === 0 : police > 0 && police <= SCOUTS_POLICE_MAX
  })
  return route?.at(-1)
}

const strength = ({ hull, shield }: Params): number => Number(hull ?? 0) + Number(shield ?? 0)

/** Reloads the first weapon whose magazine is empty, if there is one. */
async function reloadEmpty(bot: Bot): Promise<void> {
  const { modules } = await ask(bot, 'get_ship')
  const empty = rows(modules).find(
    ({ magazine_size, current_ammo }) => magazine_size !== undefined && Number(current_ammo) === 0,
  )
  if (empty) await act(bot, 'reload', { weapon_instance_id: empty.id })
}

/** Returns the pirate with the lowest hull; other hunters in the battle are not enemies. */
function weakest(battle: Params): Params | undefined {
  return rows(battle.participants)
    .filter(({ kind }) => kind === 'pirate')
    .sort((a, b) => Number(a.hull_pct ?? 100) - Number(b.hull_pct ?? 100))[0]
}

/** Fights until the battle is over or it is time to flee. */
async function fightOn(bot: Bot): Promise<void> {
  let target: unknown
  for (let ticks = 0; ticks < BATTLE_TICKS_MAX; ticks++) {
    const battle = await battleOf(bot)
    if (!battle) return
    const own = rows(battle.participants).find(({ username }) => username === bot.name) ?? {}
    if (Number(own.hull_pct ?? 100) < HULL_PCT_FLEE) return getAway(bot)
    const enemy = weakest(battle)
    if (enemy && enemy.player_id !== target) {
      target = enemy.player_id
      await ask(bot, 'battle', { action: 'target', target_id: target })
    }
    const { max_weapon_reach: reach } = asParams(battle.combat_state)
    if (Number(enemy?.zone_distance ?? 0) > Number(reach ?? 0)) {
      await ask(bot, 'battle', { action: 'advance' })
    }
    if (ticks % 5 === 4) await reloadEmpty(bot)
    await rest(bot)
  }
  await getAway(bot)
}

/** Attacks the pirates at this place one after the other, while the hull is good enough. */
async function hunt(bot: Bot): Promise<void> {
  for (;;) {
    if (await battleOf(bot)) await fightOn(bot)
    const { pirates } = await ask(bot, 'get_nearby')
    const [prey] = rows(pirates).sort((a, b) => strength(a) - strength(b))
    const { hullPct } = await updateStatus(bot)
    if (!prey || hullPct < HULL_PCT_HUNT) return
    const { ok, code } = await act(bot, 'attack', { target_id: prey.pirate_id })
    if (!ok && code !== 'in_combat') return
    await fightOn(bot)
  }
}

/** Hunts from place to place, starting elsewhere in each sortie, until hull or ship is lost. */
async function search(bot: Bot, system: string, sortie: number): Promise<void> {
  const places = bot.atlas.places.get(system) ?? (await recordHere(bot))
  for (let i = 0; i < Math.min(PLACES_MAX, places.length); i++) {
    const { id } = places[(sortie + i) % places.length]
    const { deaths } = bot.status
    if (!(await goTo(bot, system, String(id)))) return
    await rest(bot, LURKING_TICKS)
    await hunt(bot)
    const { hullPct, deaths: now } = await updateStatus(bot)
    if (now > deaths || hullPct < HULL_PCT_HUNT) return
  }
}

export const fighter: Strategy = {
  role: 'fighter',
  attacked: fightOn,
  async round(bot) {
    if (!(await dockAt(bot, bot.home.systemId, bot.home.poiId))) return
    await service(bot)
    if (bot.status.credits < CREDITS_LOW) return miner.round(bot)
    const sortie = await joinPack(bot)
    const system = huntingSystem(bot, sortie)
    if (system === undefined) return rest(bot, 10)
    if (await goTo(bot, system)) await search(bot, system, sortie)
    if (!(await dockAt(bot, bot.home.systemId, bot.home.poiId))) return
    await sellAll(bot)
    await service(bot)
  },
}

/**
 * Fighters: hunt pirates in packs, mostly where only scouts are at home, now and then in lawless
 * space. They fire at the weakest, close in while nothing reaches, reload what is empty, run when
 * the hull gets thin, mend at home, and begin again after a death.
 */
import type { Params } from '../client.ts'
import { rows, routeTo } from './atlas.ts'
import { act, ask, asParams, type Bot, look, rest, type Strategy } from './bot.ts'
import { miner } from './miner.ts'
import { battleOf, chartHere, dockAt, getAway, goTo, sellAll, service } from './moves.ts'
import { joinPack } from './packs.ts'

const HULL_PCT_FLEE = 40
const HULL_PCT_HUNT = 60
/** Police up to which pirates are at home: there only scouts; none at all: all sorts. */
const SCOUTS_POLICE = 20
/** One sortie of this many goes to lawless space. */
const LAWLESS_OF = 4
const BATTLE_TICKS_MAX = 80
/** Places a hunt visits. */
const PLACES_MAX = 4
/** Pirates come to who lingers. */
const LURKING_TICKS = 3
/** Credits below which it mines first: fuel and repairs cost. */
const CREDITS_LOW = 80

/** Returns the nearest system of the kind this sortie goes to. */
function groundOf(bot: Bot, sortie: number): string | undefined {
  const isLawless = sortie % LAWLESS_OF === 0
  const way = routeTo(bot.atlas, bot.home.systemId, (system) => {
    const police = bot.atlas.systems.get(system)?.police ?? 100
    return isLawless ? police === 0 : police > 0 && police <= SCOUTS_POLICE
  })
  return way?.at(-1)
}

const strength = ({ hull, shield }: Params): number => Number(hull ?? 0) + Number(shield ?? 0)

/** Fills the magazine of a weapon that has run dry, if there is one. */
async function reloadEmpty(bot: Bot): Promise<void> {
  const { modules } = await ask(bot, 'get_ship')
  const empty = rows(modules).find(
    ({ magazine_size, current_ammo }) => magazine_size !== undefined && Number(current_ammo) === 0,
  )
  if (empty) await act(bot, 'reload', { weapon_instance_id: empty.id })
}

/** Returns the pirate that is easiest to finish. Other hunters may stand on sides of their own. */
function weakest(battle: Params): Params | undefined {
  return rows(battle.participants)
    .filter(({ kind }) => kind === 'pirate')
    .sort((a, b) => Number(a.hull_pct ?? 100) - Number(b.hull_pct ?? 100))[0]
}

/** Sees a battle through: until it is over, or until it is time to run. */
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

/** Attacks who is at this place, one after the other, as long as the hull holds. */
async function hunt(bot: Bot): Promise<void> {
  for (;;) {
    if (await battleOf(bot)) await fightOn(bot)
    const { pirates } = await ask(bot, 'get_nearby')
    const [prey] = rows(pirates).sort((a, b) => strength(a) - strength(b))
    const { hullPct } = await look(bot)
    if (!prey || hullPct < HULL_PCT_HUNT) return
    const { ok, code } = await act(bot, 'attack', { target_id: prey.pirate_id })
    if (!ok && code !== 'in_combat') return
    await fightOn(bot)
  }
}

/** Goes from place to place, others in each sortie, until the hull is thin or the ship is lost. */
async function search(bot: Bot, ground: string, sortie: number): Promise<void> {
  const places = bot.atlas.places.get(ground) ?? (await chartHere(bot))
  for (let i = 0; i < Math.min(PLACES_MAX, places.length); i++) {
    const { id } = places[(sortie + i) % places.length]
    const { deaths } = bot.status
    if (!(await goTo(bot, ground, String(id)))) return
    await rest(bot, LURKING_TICKS)
    await hunt(bot)
    const { hullPct, deaths: now } = await look(bot)
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
    const ground = groundOf(bot, sortie)
    if (ground === undefined) return rest(bot, 10)
    if (await goTo(bot, ground)) await search(bot, ground, sortie)
    if (!(await dockAt(bot, bot.home.systemId, bot.home.poiId))) return
    await sellAll(bot)
    await service(bot)
  },
}

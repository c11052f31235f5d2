/**
 * Fighters: hunt pirates in the nearest lawless space, several to a ground. They fire at the
 * weakest, close in while nothing reaches, reload what is empty, run when the hull gets thin, mend
 * at home, and begin again after a death.
 */
import type { Params } from '../clients.ts'
import { wayTo } from './atlas.ts'
import { act, ask, asParams, type Bot, look, rest, rows, type Strategy } from './bot.ts'
import { battleOf, chartHere, dockAt, getAway, goTo, sellAll, service } from './moves.ts'

const HULL_PCT_FLEE = 35
const HULL_PCT_HUNT = 60
/** Grounds next to home that fighters of one empire share out among them. */
const GROUNDS = 3
const BATTLE_TICKS_MAX = 80
/** Places a hunt visits. */
const PLACES_MAX = 4

/** A lawless system nearby: the first, second or third that is found, by the bot's number. */
function groundOf(bot: Bot): string | undefined {
  const found: string[] = []
  wayTo(bot.atlas, bot.home.systemId, (system) => {
    if (bot.atlas.systems.get(system)?.isLawless) found.push(system)
    return found.length > GROUNDS
  })
  return found[bot.index % Math.max(1, Math.min(GROUNDS, found.length))]
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

/** The enemy that is easiest to finish. */
function weakest(battle: Params, sideId: unknown): Params | undefined {
  return rows(battle.participants)
    .filter(({ side_id }) => side_id !== sideId)
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
    const enemy = weakest(battle, own.side_id)
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

export const fighter: Strategy = {
  role: 'fighter',
  async round(bot) {
    const ground = groundOf(bot)
    if (ground === undefined) return rest(bot, 10)
    if (await goTo(bot, ground)) {
      const places = bot.atlas.places.get(ground) ?? (await chartHere(bot))
      for (const { id } of places.slice(0, PLACES_MAX)) {
        const deaths = bot.status.deaths
        if (!(await goTo(bot, ground, String(id)))) break
        await hunt(bot)
        const { hullPct, deaths: now } = await look(bot)
        if (now > deaths || hullPct < HULL_PCT_HUNT) break
      }
    }
    if (!(await dockAt(bot, bot.home.systemId, bot.home.poiId))) return
    await sellAll(bot)
    await service(bot)
  },
}

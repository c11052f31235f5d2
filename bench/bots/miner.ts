/** Miners mine in the belt of the home system until the hold is full, sell, and repeat. */
import { act, type Strategy } from './bot.ts'
import { dockAt, getAway, goTo, recordHere, sellAll, service } from './moves.ts'

/** After this many pulls a miner leaves the belt; normally the hold is full long before. */
const PULLS_MAX = 120

export const miner: Strategy = {
  role: 'miner',
  async round(bot) {
    const { home } = bot
    const places = bot.atlas.places.get(home.systemId) ?? (await recordHere(bot))
    const belts = places.filter(({ type }) => type === 'asteroid_belt')
    const belt = belts[bot.index % Math.max(1, belts.length)]
    if (belt && (await goTo(bot, home.systemId, String(belt.id)))) {
      for (let pulls = 0; pulls < PULLS_MAX; pulls++) {
        const { ok, code } = await act(bot, 'mine')
        if (code === 'in_combat' || code === 'combat_interrupt') await getAway(bot)
        else if (!ok) break
      }
    }
    if (!(await dockAt(bot, home.systemId, home.poiId))) return
    await sellAll(bot)
    await service(bot)
  },
}

/** The canned bodies of the fixture server, by path. */
import * as battle from './battle-bodies.ts'
import { consoleBody } from './console-body.ts'
import * as galaxy from './galaxy-bodies.ts'
import * as intel from './intel-bodies.ts'
import * as market from './market-bodies.ts'
import { opsBody } from './ops-body.ts'
import * as past from './past-bodies.ts'
import * as people from './people-bodies.ts'

/** Makes a body at a tick; undefined if nothing has this name. */
type Body = (tick: number, params: readonly string[], query: URLSearchParams) => unknown

/** Path patterns with their bodies, which get the groups of the pattern as parameters. */
export const BODIES: readonly (readonly [path: RegExp, body: Body])[] = [
  [/^\/api\/stats$/, (tick) => galaxy.stats(tick)],
  [/^\/api\/map$/, () => galaxy.map()],
  [/^\/api\/map\/activity$/, (tick) => galaxy.activity(tick)],
  [/^\/api\/map\/territory$/, () => galaxy.territory()],
  [/^\/api\/map\/system\/([^/]+)$/, (tick, [id]) => galaxy.system(id, tick)],
  [/^\/api\/stations$/, () => galaxy.stations()],
  [/^\/api\/history$/, (tick, _, query) => past.history(tick, query)],
  [/^\/api\/history\/(\d+)\/steps$/, (newest, [tick]) => past.steps(newest, Number(tick))],
  [/^\/api\/battles$/, (tick, _, query) => battle.battles(tick, query)],
  [/^\/api\/battle\/summary$/, (tick, _, query) => battle.battleSummary(tick, query)],
  [/^\/api\/battle\/log$/, (tick, _, query) => battle.battleLog(tick, query)],
  [/^\/api\/stations\/([^/]+)$/, (_, [id]) => market.station(id)],
  [/^\/api\/market$/, (tick) => market.market(tick)],
  [/^\/api\/market\/station\/([^/]+)$/, (tick, [id]) => market.stationMarket(tick, id)],
  [
    /^\/api\/market\/depth\/([^/]+)\/([^/]+)$/,
    (tick, [base, item]) => market.depth(tick, base, item),
  ],
  [/^\/api\/market\/item\/([^/]+)$/, (tick, [id]) => market.itemMarket(tick, id)],
  [/^\/api\/market\/movers$/, () => market.movers()],
  [/^\/api\/market\/vwap-history\/([^/]+)$/, (_, [item], query) => market.history(item, query)],
  [/^\/api\/market\/fills$/, (tick, _, query) => market.fills(tick, query)],
  [/^\/api\/market\/fills\/top$/, () => market.topFills()],
  [/^\/api\/market\/fills\/stats$/, () => market.fillStats()],
  [/^\/api\/leaderboard$/, () => people.leaderboard()],
  [/^\/api\/leaderboard\/achievements$/, () => people.achievementRanks()],
  [/^\/api\/players\/([^/]+)$/, (_, [name]) => people.player(name)],
  [/^\/api\/factions\/([^/]+)$/, (_, [tag]) => people.faction(tag)],
  [/^\/api\/(?:players|factions)\/[^/]+\/achievements$/, () => people.achievements()],
  [/^\/api\/forum$/, (_tick, _params, query) => people.forum(query)],
  [/^\/api\/forum\/thread\/([^/]+)$/, (_, [id]) => people.thread(id)],
  [/^\/api\/changelog$/, (_tick, _params, query) => people.changelog(query)],
  [/^\/api\/console\.json$/, () => consoleBody()],
  [/^\/api\/intel-map$/, (tick) => intel.intelMap(tick)],
  [/^\/api\/intel-map\/movements$/, () => intel.intelMovements()],
  [/^\/api\/intel-map\/system\/([^/]+)$/, (tick, [id]) => intel.intelSystem(id, tick)],
  [/^\/api\/ops$/, (tick) => opsBody(tick)],
]

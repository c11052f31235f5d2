/** The guides of `get_guide`, in the order in which they are listed. Each has a file of its own. */
import { marked } from '../say.ts'
import { deepFreeze } from './freeze.ts'
import { ARENA } from './guides/arena.ts'
import { BATTLE } from './guides/battle.ts'
import { BOARDER } from './guides/boarder.ts'
import { CARRIER } from './guides/carrier.ts'
import { CRAFTING } from './guides/crafting.ts'
import { DRONE_SCRIPTS } from './guides/drone-scripts.ts'
import { DRONES } from './guides/drones.ts'
import { EXPLORER } from './guides/explorer.ts'
import { FACTIONS } from './guides/factions.ts'
import { FITTING } from './guides/fitting.ts'
import { FUEL } from './guides/fuel.ts'
import { GETTING_STARTED } from './guides/getting-started.ts'
import type { GuideRow } from './guides/guide-row.ts'
import { LAW } from './guides/law.ts'
import { MINER } from './guides/miner.ts'
import { MISSIONS_GUIDE } from './guides/missions.ts'
import { PIRATE_HUNTER } from './guides/pirate-hunter.ts'
import { SALVAGER } from './guides/salvager.ts'
import { SHIPYARD } from './guides/shipyard.ts'
import { SKILLS_GUIDE } from './guides/skills.ts'
import { STATIONS } from './guides/stations.ts'
import { TRADER } from './guides/trader.ts'
import { WILDLIFE } from './guides/wildlife.ts'

export type { GuideRow }

const WRITTEN: readonly GuideRow[] = [
  GETTING_STARTED,
  MISSIONS_GUIDE,
  SKILLS_GUIDE,
  MINER,
  TRADER,
  CRAFTING,
  CARRIER,
  SHIPYARD,
  EXPLORER,
  FUEL,
  FITTING,
  LAW,
  SALVAGER,
  BOARDER,
  DRONES,
  DRONE_SCRIPTS,
  BATTLE,
  PIRATE_HUNTER,
  ARENA,
  WILDLIFE,
  FACTIONS,
  STATIONS,
]

export const GUIDES: readonly GuideRow[] = deepFreeze(
  WRITTEN.map((row) => ({ ...row, content: marked(row.content) })),
)

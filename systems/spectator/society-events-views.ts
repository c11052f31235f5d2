/** Feed events of new players, of factions, and of stations on the chart. Source: WEB 2. */
import type { ArchivedAction } from '../../core/archive-calls.ts'
import { EMPIRES } from '../../core/catalog/index.ts'
import type { Eid, Outbox, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { baseById, baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { factionByText, factionName, factionOf, factionTag } from '../faction/model.ts'
import { strangerSeesPlace } from '../sensing/model.ts'
import { systemById, systemName } from '../travel/model.ts'
import { Poi } from '../travel/state.ts'
import { isSeenNamed } from './fight-events-views.ts'
import { type PublicEvent, publicEvent, publicNameOf } from './public-event-views.ts'

/** Jumps published in a frame, at most. */
const JUMPS_MAX = 20

/** Returns events of players who have just registered. */
export function joinEvents(view: WorldView, { writes }: Outbox): PublicEvent[] {
  const events: PublicEvent[] = []
  for (const write of writes) {
    if (write.method !== 'createPlayer') continue
    const player = view.rowOf(Player, write.args.number)
    if (player === 0 || usernameOf(view, player) !== write.args.username) continue
    const empire = EMPIRES[view.read(Player).empire[player]].id
    const data = { username: publicNameOf(view, player), empire }
    events.push(publicEvent(view, 'player_joined', data, [player]))
  }
  return events
}

/** A logged action of a player. */
interface Act {
  readonly player: Eid
  readonly data: Readonly<Record<string, unknown>>
}

const textOf = ({ data }: Act, name: string): string => String(data[name] ?? '')

/** Renders the event of a logged action; undefined where it is not public. */
type Render = (view: WorldView, act: Act) => PublicEvent | undefined

const renderFounding: Render = (view, act) => {
  const faction = factionOf(view, act.player)
  if (faction === 0) return undefined
  const leader = publicNameOf(view, act.player)
  const [faction_name, faction_tag] = [factionName(view, faction), factionTag(view, faction)]
  return publicEvent(view, 'faction_created', { leader, faction_name, faction_tag }, [act.player])
}

/** Returns the names of the actor's faction and of the other one. */
function namesOf(view: WorldView, act: Act): readonly [string, string] | undefined {
  const own = factionOf(view, act.player)
  const other = factionByText(view, textOf(act, 'other_faction_id'))
  return own === 0 || other === 0 ? undefined : [factionName(view, own), factionName(view, other)]
}

const renderWar: Render = (view, act) => {
  const names = namesOf(view, act)
  return names && publicEvent(view, 'faction_war', { aggressor: names[0], defender: names[1] })
}

const renderPeace: Render = (view, act) => {
  const names = namesOf(view, act)
  return (
    names &&
    publicEvent(view, 'faction_peace', { faction1_name: names[0], faction2_name: names[1] })
  )
}

const renderBase: Render = (view, act) => {
  const base = baseById(view, textOf(act, 'base_id'))
  const poi = base === 0 ? 0 : view.read(Base).poi[base]
  if (!strangerSeesPlace(view, poi)) return undefined
  const data = {
    builder: publicNameOf(view, act.player),
    base_name: baseName(view, base),
    system_name: systemName(view, view.read(Poi).system[poi]),
  }
  return publicEvent(view, 'base_constructed', data, [act.player])
}

const renderJump: Render = (view, act) => {
  const system = systemById(view, textOf(act, 'system_id'))
  if (system === 0 || !isSeenNamed(view, act.player)) return undefined
  const data = { player: usernameOf(view, act.player), to_system_name: systemName(view, system) }
  return publicEvent(view, 'jump', data, [act.player])
}

const RENDERERS: ReadonlyMap<string, Render> = new Map([
  ['faction.created', renderFounding],
  ['faction.war_declared', renderWar],
  ['faction.peace_made', renderPeace],
  ['faction.base_founded', renderBase],
  ['navigation.jumped', renderJump],
])

/** Returns the logged actions of a batch. */
export function actionsOf({ writes }: Outbox): ArchivedAction[] {
  const actions: ArchivedAction[] = []
  for (const write of writes) {
    if (write.method === 'logActions') for (const row of write.args.rows) actions.push(row)
  }
  return actions
}

/** Returns events of what players did publicly. */
export function actionEvents(view: WorldView, actions: readonly ArchivedAction[]): PublicEvent[] {
  const events: PublicEvent[] = []
  let jumps = 0
  for (const { eventType, factionId, player: number, data = {} } of actions) {
    // Actions in the log of a faction are in the log of the player as well: skips the former.
    const render = RENDERERS.get(eventType)
    if (!render || factionId !== undefined) continue
    if (render === renderJump && jumps >= JUMPS_MAX) continue
    const player = view.rowOf(Player, number)
    const event = player === 0 ? undefined : render(view, { player, data })
    if (event?.type === 'jump') jumps += 1
    if (event) events.push(event)
  }
  return events
}

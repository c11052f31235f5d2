/**
 * Leaves out what frames need not repeat about battles: the summary of a battle is sent at first
 * and then every few ticks in turn, its ships only when they have changed. Source: WEB 3.
 */
import { PUBLIC_LOOK_TICKS } from '../../core/limits.ts'
import type { PublicFrame, ThinTurn } from '../../core/public/frame.ts'
import type { TopicData } from '../../core/public/topics.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { battleId } from '../combat/model.ts'
import { renderPublicBattle } from '../combat/public-views.ts'
import { Battle } from '../combat/state.ts'
import { isDue } from './due-views.ts'
import { TURNS_PER_STEP } from './events-views.ts'

type Ships = TopicData['battle']['ships']

const isSameList = (a: Ships, b: Ships): boolean =>
  a.length === b.length && a.every((ship, i) => isSameShip(ship, b[i]))

const isSameShip = (a: Ships[number], b: Ships[number]): boolean =>
  a.id === b.id &&
  a.name === b.name &&
  a.side === b.side &&
  a.ship_class === b.ship_class &&
  a.kind === b.kind

interface Thinner {
  battles(
    view: WorldView,
    charted: readonly Row[],
    isFull: boolean,
  ): Required<Pick<PublicFrame, 'battles' | 'going'>>
  /** Thins turns; `going`: ids of the battles in progress. Yields between steps. */
  turns(
    turns: readonly TopicData['battle'][],
    going: readonly string[],
    isFull: boolean,
  ): Generator<void, ThinTurn[]>
}

/** Creates a filter that passes only what has not been sent yet; it remembers what was sent. */
export function createThinner(): Thinner {
  /** Numbers of the battles sent, by row. */
  let known = new Map<Row, number>()
  let lastTick = -1
  let ships = new Map<string, Ships>()
  return {
    battles(view, charted, isFull) {
      const { seq } = view.read(Battle)
      const span = { from: isFull ? -1 : lastTick, to: view.tick }
      const sent = new Map<Row, number>()
      const fresh: Row[] = []
      for (const battle of charted) {
        sent.set(battle, seq[battle])
        const isKnown = known.get(battle) === seq[battle]
        if (!isKnown || isDue(span, seq[battle], PUBLIC_LOOK_TICKS)) fresh.push(battle)
      }
      known = sent
      lastTick = view.tick
      return {
        battles: fresh.map((battle) => renderPublicBattle(view, battle)),
        going: charted.map((battle) => battleId(view, battle)),
      }
    },
    *turns(turns, going, isFull) {
      if (isFull) ships.clear()
      const thin: ThinTurn[] = []
      for (const [index, turn] of turns.entries()) {
        const before = ships.get(turn.battle_id)
        ships.set(turn.battle_id, turn.ships)
        const { ships: _, zones, damage_types, ...rest } = turn
        thin.push(before && isSameList(before, turn.ships) ? rest : turn)
        if (index % TURNS_PER_STEP === TURNS_PER_STEP - 1) yield
      }
      const goingIds = new Set(going)
      ships = new Map([...ships].filter(([id]) => goingIds.has(id)))
      return thin
    },
  }
}

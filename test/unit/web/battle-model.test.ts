/** The replay of a battle: frames made from rows of its log, and what is read from them. */
import { expect, test } from 'vitest'
import {
  extendReplay,
  indexAt,
  NO_REPLAY,
  nextKill,
  type ReplayRow,
  ranked,
  scoresOf,
} from '../../../web/battle-model.ts'
import { rowOfTopic } from '../../../web/battle-topic.ts'
import { cannedRows, cannedTurn } from '../../web/canned-battle.ts'

const rows = cannedRows()
const replay = extendReplay(NO_REPLAY, rows)

test('a replay has one frame for each row, and ignores repeated rows', () => {
  expect(replay.frames.map(({ tick }) => tick)).toEqual(rows.map(({ tick }) => tick))
  expect(extendReplay(replay, rows)).toBe(replay)
  const halves = extendReplay(extendReplay(NO_REPLAY, rows.slice(0, 9)), rows.slice(4))
  expect(halves).toEqual(replay)
})

test('every frame has all ships once, in order of appearance', () => {
  const joined = rows[0].joins?.map(({ player_id }) => player_id)
  for (const frame of replay.frames) expect(frame.ships.map(({ id }) => id)).toEqual(joined)
})

test('a kill marks its victim as lost from then on, with hull 0', () => {
  const index = rows.findIndex(({ kills }) => kills !== undefined)
  const victim = rows[index].kills?.[0].victim_id
  const fates = replay.frames.map(
    ({ ships }) => ships.find(({ id }) => id === victim) as (typeof ships)[number],
  )
  expect(fates[index - 1].fate).toBe('fighting')
  for (const ship of fates.slice(index)) {
    expect(ship).toMatchObject({ fate: 'destroyed', fateTick: rows[index].tick, hull: 0 })
  }
})

test('a kill counts for its killer in the tick that it happens, and once', () => {
  const counted = new Map<string, number>()
  for (const [index, { kills = [] }] of rows.entries()) {
    for (const { killer_id } of kills) counted.set(killer_id, (counted.get(killer_id) ?? 0) + 1)
    const shown = replay.frames[index].ships.filter((ship) => ship.kills > 0)
    expect(new Map(shown.map(({ id, kills: count }) => [id, count]))).toEqual(
      new Map(shown.map(({ id }) => [id, counted.get(id)])),
    )
    expect(shown).toHaveLength(counted.size)
  }
})

test('a frame distinguishes ships that escaped, were captured, or just left', () => {
  const [first, second] = rows.map(({ kills: _, ...row }): ReplayRow => row)
  const [a, b, c] = first.snapshots.map(({ player_id }) => player_id)
  const gone = second.snapshots.filter(({ player_id }) => ![a, b, c].includes(player_id))
  const capture = {
    boarding_operation_id: 'op',
    captor_id: 'ship_2_0',
    captor_username: 'Fenn 2',
    ship_id: 's',
    ship_class: 'reaver',
    former_owner_id: b,
    former_owner_username: 'Bly 1',
    tick: second.tick,
  }
  const flight = { player_id: a, flee_counter: 3, flee_required: 3, escaped: true }
  const row = { ...second, snapshots: gone, captures: [capture], flee: [flight] }
  const { frames } = extendReplay(NO_REPLAY, [first, row])
  const fates = frames[1].ships.slice(0, 4).map(({ fate }) => fate)
  expect(fates).toEqual(['escaped', 'captured', 'left', 'fighting'])
  const texts = frames[1].events.map(({ text }) => text)
  expect(texts).toContain('Fenn 2 captured the reaver of Bly 1')
  expect(texts).toContain('Arden 1 got away')
})

test('a row with a cut list removes nobody from the fight', () => {
  const [whole] = cannedRows({ sides: [120, 120] })
  const cut = { ...whole, tick: whole.tick + 1, snapshots: whole.snapshots.slice(0, 200) }
  const { frames } = extendReplay(NO_REPLAY, [
    { ...whole, kills: [] },
    { ...cut, kills: [] },
  ])
  expect(frames[1].ships.filter(({ fate }) => fate === 'left')).toEqual([])
})

test('rows without snapshots keep all positions, and add those who join', () => {
  const late = { tick: rows[0].tick + 1, snapshots: [] }
  const joins = [{ player_id: 'late', username: 'Late', side_id: 3 }]
  const { frames } = extendReplay(NO_REPLAY, [rows[0], { ...late, joins }])
  expect(frames[1].ships.slice(0, -1)).toEqual(frames[0].ships)
  expect(frames[1].events[0].text).toBe('Late joined side 3')
})

test('the score of a side sums its ships, its losses and its hull points', () => {
  const frame = replay.frames.at(-1) as (typeof replay.frames)[number]
  const scores = scoresOf(frame)
  expect(scores.map(({ side }) => side)).toEqual([1, 2])
  for (const { side, ships, fighting, lost, hull, hullMax } of scores) {
    const own = frame.ships.filter((ship) => ship.side === side)
    expect([ships, fighting + lost]).toEqual([own.length, own.length])
    expect(hull).toBe(own.reduce((sum, ship) => sum + ship.hull, 0))
    expect(hullMax).toBe(own.reduce((sum, ship) => sum + ship.hullMax, 0))
  }
  const lost = rows.flatMap(({ kills = [] }) => kills).length
  expect(scores.reduce((sum, score) => sum + score.lost, 0)).toBe(lost)
})

test('ships are ranked by side, and fighting ships before lost ones', () => {
  const order = ranked((replay.frames.at(-1) as (typeof replay.frames)[number]).ships)
  expect(order.map(({ side }) => side)).toEqual(order.map(({ side }) => side).sort())
  const first = order.filter(({ side }) => side === 1).map(({ fate }) => fate)
  expect(first.lastIndexOf('fighting')).toBeLessThan(first.indexOf('destroyed'))
})

test('a tick outside the replay leads to its nearest frame, and kills are found both ways', () => {
  const { frames } = replay
  expect(indexAt(replay, frames[3].tick)).toBe(3)
  expect(indexAt(replay, 0)).toBe(0)
  expect(indexAt(replay, 1e9)).toBe(frames.length - 1)
  const kills = frames.filter((frame) => frame.kills > 0).map(({ tick }) => tick)
  expect(nextKill(replay, 0, 1)).toBe(kills[0])
  expect(nextKill(replay, kills[0], 1)).toBe(kills[1])
  expect(nextKill(replay, kills[1], -1)).toBe(kills[0])
  expect(nextKill(replay, kills[0], -1)).toBeUndefined()
})

test('a loss without a killer is described by its cause', () => {
  const kill = { killer_id: '', killer_username: '', victim_id: 'x', victim_username: 'Xa' }
  const row = (cause: string, tick: number) => ({
    tick,
    snapshots: [],
    kills: [{ ...kill, cause }],
  })
  const { frames } = extendReplay(NO_REPLAY, [row('self_destruct', 1), row('burned', 2)])
  const texts = frames.flatMap(({ events }) => events.map(({ text }) => text))
  expect(texts).toEqual(['Xa blew up their own ship', 'Xa burned out'])
})

test('messages of the topic yield the same frames as rows of the archive', () => {
  const { frames } = extendReplay(
    NO_REPLAY,
    rows.map((row) => rowOfTopic(cannedTurn(row))),
  )
  const comparable = (all: typeof frames) =>
    all.map(({ tick, lines, ships, kills, damage }) => ({
      tick,
      kills,
      damage,
      lines: lines.map(({ from, to, type, killed }) => ({ from, to, type, killed })),
      ships: ships.map(({ id, name, side, ring, hull, shield, dealt, fate }) => ({
        id,
        name,
        side,
        ring,
        hull,
        shield,
        dealt,
        fate,
      })),
    }))
  expect(comparable(frames)).toEqual(comparable(replay.frames))
})

test('a message with a cut list removes nobody from the fight', () => {
  const [first, second] = rows
  const turn = cannedTurn({ ...second, snapshots: second.snapshots.slice(0, 3) })
  const { frames } = extendReplay(NO_REPLAY, [first, rowOfTopic({ ...turn, more: 8 })])
  expect(frames[1].ships.filter(({ fate }) => fate === 'left')).toEqual([])
})

test('a kill without a victim in the topic is matched to the ship without hull', () => {
  const turn = cannedTurn(rows[1])
  const ships = turn.ships.map((ship) => ({ ...ship, name: '' }))
  // A ship has eight values, of which the third is its hull.
  const hullIndex = 3 * 8 + 2
  const states = turn.states.map((value, index) => (index === hullIndex ? 0 : value))
  const kills = [{ killer: '', victim: '', cause: 'pirate' }]
  const { kills: read } = rowOfTopic({ ...turn, ships, states, kills })
  expect(read).toMatchObject([{ killer_id: '', victim_id: ships[3].id }])
})

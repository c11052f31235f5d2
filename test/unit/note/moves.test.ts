/**
 * Notes are stored, given, traded and lost like goods. Source: social.md section 3 and
 * trade-storage.md sections 1 to 5.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import { SHIP_CLASSES } from '../../../core/catalog/index.ts'
import { JETTISON_TICKS } from '../../../core/limits.ts'
import type { Eid, Row } from '../../../core/types.ts'
import { packagesIn } from '../../../systems/cargo/model.ts'
import { packageById } from '../../../systems/cargo/rules.ts'
import { Package } from '../../../systems/cargo/state.ts'
import { addMember, foundFaction } from '../../../systems/faction/member-rules.ts'
import { writtenBy } from '../../../systems/note/model.ts'
import { Note } from '../../../systems/note/state.ts'
import { makeWreck } from '../../../systems/salvage/make-rules.ts'
import { Wreck } from '../../../systems/salvage/state.ts'
import { activeShip, freeSpace } from '../../../systems/ship/model.ts'
import { createShip, releaseShip } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { poiOf } from '../../../systems/travel/location-model.ts'
import { onSmallMap, type SmallWorld } from '../../small-world.ts'
import { addService } from '../faction/scene.ts'
import { packAt } from '../package/stage.ts'
import { done, refusal } from '../trade/stage.ts'
import { archivedArgs, desk, fill, noteIdsOf, unload, writeNote } from './scene.ts'

onSmallMap()

let small: SmallWorld
let ada: Eid
let ben: Eid
let base: Eid
beforeEach(async () => {
  ;({ small, ada, ben, base } = await desk())
})

const usedSpace = (player: Eid): number =>
  small.world.read(Ship).cargoUsed[activeShip(small.world, player)]
const act = (player: Eid, command: string, params: object) => done(small, player, command, params)
const reads = (player: Eid, note_id: string): boolean =>
  small.ask(player, 'read_note', { note_id }).ok

describe('a note', () => {
  test('can be stored and withdrawn, and is read and listed in storage', () => {
    const id = writeNote(small, ada)
    const before = usedSpace(ada)
    const stored = act(ada, 'deposit_items', { item_id: id, quantity: 1 })
    expect(stored.message).toContain('Stored the note "Lanes"')
    expect(usedSpace(ada)).toBe(before - 1)
    expect([noteIdsOf(small, ada), reads(ada, id)]).toEqual([[id], true])
    expect(refusal(small, ada, 'withdraw_items', { item_id: id, quantity: 2 })).toBe(
      'invalid_payload',
    )
    fill(small, ada, 0)
    expect(refusal(small, ada, 'withdraw_items', { item_id: id, quantity: 1 })).toBe(
      'no_cargo_space',
    )
    unload(small, ada, 1)
    act(ada, 'withdraw_items', { item_id: id, quantity: 1 })
    expect(freeSpace(small.world, activeShip(small.world, ada))).toBe(0)
  })

  test('is traded for another; its giver can no longer read or write it', () => {
    const [first, second] = [writeNote(small, ada, 'One'), writeNote(small, ben, 'Two')]
    const { trade_id } = act(ada, 'trade_offer', {
      target_id: 'Ben',
      offer_items: [{ item_id: first, quantity: 1 }],
      request_items: [{ item_id: second, quantity: 1 }],
      request_credits: 10,
    })
    const incoming = done(small, ben, 'get_trades', {}, 'ask').incoming as object[]
    expect(incoming).toMatchObject([{ offer_items: [{ item_id: first, name: 'One' }] }])
    expect(reads(ben, first)).toBe(false)
    act(ben, 'trade_accept', { trade_id })
    expect([noteIdsOf(small, ada), noteIdsOf(small, ben)]).toEqual([[second], [first]])
    expect([reads(ben, first), reads(ada, first)]).toEqual([true, false])
    for (const player of [ada, ben]) {
      const params = { note_id: first, content: 'Forged.' }
      expect(refusal(small, player, 'write_note', params, 'ask')).toBe('note_not_found')
    }
    expect(writtenBy(small.world, ada).notes).toBe(1)
    done(small, ben, 'delete_note', { note_id: first }, 'ask')
    expect(writtenBy(small.world, ada).notes).toBe(0)
  })

  test('fits where a package does not: the room of a trade is counted by size', () => {
    const id = writeNote(small, ada)
    fill(small, ben, 1)
    const { trade_id } = act(ada, 'trade_offer', {
      target_id: 'Ben',
      offer_items: [{ item_id: id, quantity: 1 }],
    })
    act(ben, 'trade_accept', { trade_id })
    expect(noteIdsOf(small, ben)).toEqual([id])
  })

  test('can be given into the locker of another player', () => {
    const id = writeNote(small, ada)
    act(ada, 'send_gift', { recipient: 'Ben', item_id: id, quantity: 1 })
    expect([noteIdsOf(small, ada), noteIdsOf(small, ben)]).toEqual([[], [id]])
    const { gifts } = done(small, ben, 'view_storage', {}, 'ask')
    expect(gifts).toMatchObject([{ items: [{ item_id: id, name: 'Note', quantity: 1 }] }])
  })

  test('is deleted when it is given to an empire', () => {
    const id = writeNote(small, ada)
    act(ada, 'send_gift', { recipient: 'solarian', item_id: id, quantity: 1 })
    expect(small.world.countOf(Note)).toBe(0)
    expect(archivedArgs(small, 'dropNote')).toHaveLength(1)
  })

  test('can be kept in the store of a faction, where every member reads it', () => {
    const faction: Row = foundFaction(small.world, ada, 'Scribes', 'SCRB')
    addService(small.world, faction, base, 'faction_storage')
    const id = writeNote(small, ada)
    act(ada, 'faction_deposit_items', { item_id: id, quantity: 1 })
    expect([reads(ada, id), reads(ben, id)]).toEqual([true, false])
    addMember(small.world, ben, faction)
    expect(reads(ben, id)).toBe(true)
    const params = { note_id: id, content: 'Mine.' }
    expect(refusal(small, ada, 'write_note', params, 'ask')).toBe('note_not_found')
    act(ada, 'faction_withdraw_items', { item_id: id, quantity: 1 })
    expect([noteIdsOf(small, ada), reads(ben, id)]).toEqual([[id], false])
  })

  test('cannot be sold, ordered or unpacked', () => {
    const id = writeNote(small, ada)
    expect(refusal(small, ada, 'sell', { item_id: id, quantity: 1 })).toBe('not_tradeable')
    const order = { item_id: id, quantity: 1, price_each: 5 }
    expect(refusal(small, ada, 'create_sell_order', order)).toBe('not_tradeable')
    const opened = { recipe_id: 'unpack_package', package_id: id }
    expect(small.act(ada, 'craft', opened).ok).toBe(false)
    expect(small.ask(ada, 'inspect', { id })).toMatchObject({ code: 'not_found' })
    expect(noteIdsOf(small, ada)).toEqual([id])
  })

  test('can be jettisoned and looted, and is deleted with its container', () => {
    const [first, second] = [writeNote(small, ada, 'One'), writeNote(small, ada, 'Two')]
    for (const player of [ada, ben]) act(player, 'undock', {})
    expect(act(ada, 'jettison', { item_id: first, quantity: 1 })).toMatchObject({
      item_name: 'Note',
      message: 'Jettisoned the note "One"; it drifts here.',
    })
    act(ada, 'jettison', { items: [{ item_id: second, quantity: 1 }] })
    const { wrecks } = done(small, ben, 'get_wrecks', {}, 'ask') as { wrecks: { id: string }[] }
    const wreck_id = wrecks[0].id
    act(ben, 'loot_wreck', { wreck_id, item_id: first, quantity: 1 })
    expect([noteIdsOf(small, ben), reads(ben, first)]).toEqual([[first], true])
    small.ticks(JETTISON_TICKS)
    expect([small.world.countOf(Note), packageById(small.world, second)]).toEqual([1, 0])
    expect(archivedArgs(small, 'dropNote')).toHaveLength(1)
  })
})

describe('a lost hold', () => {
  test('leaves some notes in the wreck and deletes the others', () => {
    const { world } = small
    const ids = Array.from({ length: 40 }, (_, i) => writeNote(small, ada, `Page ${i}`))
    const ship = activeShip(world, ada)
    const shipClass = SHIP_CLASSES.findIndex(({ cargo_capacity }) => cargo_capacity >= 500)
    const lost = createShip(world, { owner: 0, shipClass, modules: [] })
    const { hold, cargoUsed } = world.write(Ship)
    ;[hold[lost], hold[ship]] = [hold[ship], hold[lost]]
    ;[cargoUsed[lost], cargoUsed[ship]] = [cargoUsed[ship], cargoUsed[lost]]
    for (const pkg of packagesIn(world, hold[lost])) world.write(Package).ship[pkg] = lost
    const wreck = makeWreck(world, {
      ship: lost,
      poi: poiOf(world, ada),
      isNpc: false,
      victimId: 'v',
      victimName: 'V',
      killerId: 'k',
      killerName: 'K',
    })
    releaseShip(world, lost)
    const left = packagesIn(world, world.read(Wreck).cargo[wreck]).length
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(ids.length)
    expect(world.countOf(Note)).toBe(left)
    expect(writtenBy(world, ada).notes).toBe(left)
    small.ticks(1)
  })
})

test('random moves keep every note in exactly one place', () => {
  const ids = [
    writeNote(small, ada, 'One'),
    writeNote(small, ada, 'Two'),
    writeNote(small, ben, 'Three'),
  ]
  packAt(small.world, { kind: 'locker', player: ada, base })
  let state = 11
  const randomBelow = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  let moved = 0
  for (let i = 0; i < 40; i++) {
    const item = { item_id: ids[randomBelow(ids.length)], quantity: 1 }
    const player = noteIdsOf(small, ada).includes(item.item_id) ? ada : ben
    const [command, params] = [
      ['deposit_items', item],
      ['withdraw_items', item],
      ['send_gift', { ...item, recipient: player === ada ? 'Ben' : 'Ada' }],
    ][randomBelow(3)] as [string, object]
    if (small.act(player, command, params).ok) moved++
    expect([...noteIdsOf(small, ada), ...noteIdsOf(small, ben)].sort()).toEqual([...ids].sort())
  }
  expect(moved).toBeGreaterThan(10)
})

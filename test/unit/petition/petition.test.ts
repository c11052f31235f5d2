/** Petitions to empires: filing, limits and refusals. */
import { beforeEach, expect, test } from 'vitest'
import { EMPIRES } from '../../../core/catalog/index.ts'
import type { Eid } from '../../../core/types.ts'
import { playerId } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { PETITIONED } from '../../../systems/petition/state.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'
import { refusesNow } from '../faction/scene.ts'

onSmallMap()

let small: SmallWorld
let ada: Eid
let ben: Eid
beforeEach(async () => {
  small = await smallWorld({ players: 2 })
  ;[ada, ben] = small.players
})

const filed = () => (small.store.archive.rows.get('filePetition') ?? []).map(({ args }) => args)
const petition = (player: Eid, empire_id: string, message = 'More patrols.') =>
  small.ask(player, 'petition', { empire_id, message })

test('a petition is filed with its author and its trimmed text', () => {
  expect(petition(ada, 'voidborn', '  More patrols.\n')).toMatchObject({
    ok: true,
    result: { empire_id: 'voidborn', empire_name: EMPIRES[1].name },
  })
  expect(filed()).toEqual([
    {
      empire: 'voidborn',
      player: small.world.read(Player).seq[ada],
      playerId: playerId(small.world, ada),
      username: 'Tester 1',
      kind: 'petition',
      content: 'More patrols.',
    },
  ])
})

test('a player may petition each empire once an hour: rate_limited', () => {
  expect(petition(ada, 'solarian').ok).toBe(true)
  small.tick()
  const wait_seconds = 3_590
  refusesNow(small, ada, ['petition', { empire_id: 'SOLARIAN ', message: 'Again.' }], {
    code: 'rate_limited',
    details: { wait_seconds },
  })
  expect(petition(ada, 'crimson').ok).toBe(true)
  expect(petition(ben, 'solarian').ok).toBe(true)
  small.ticks(358)
  expect(petition(ada, 'solarian')).toMatchObject({ code: 'rate_limited' })
  small.ticks(1)
  expect(petition(ada, 'solarian').ok).toBe(true)
  expect(filed()).toHaveLength(4)
})

test.each([
  ['invalid_empire', { empire_id: 'atlantis', message: 'Help.' }],
  ['too_long', { empire_id: 'solarian', message: 'x'.repeat(1_001) }],
  ['invalid_payload', { empire_id: 'solarian', message: ' \n ' }],
  ['invalid_payload', { empire_id: 'solarian', message: 'a\u202eb' }],
  ['invalid_payload', { empire_id: 'solarian', message: 'a\u0007b' }],
  ['invalid_payload', { empire_id: 'solarian', message: 'a\ud800b' }],
])('a petition refused with %s is not filed', (code, params) => {
  refusesNow(small, ada, ['petition', params], code)
  expect(filed()).toEqual([])
})

test('the length of a petition is counted in code points', () => {
  expect(petition(ada, 'nebula', '\u{1f680}'.repeat(1_000)).ok).toBe(true)
})

test('a restored world remembers when a player petitioned', async () => {
  petition(ada, 'outerrim')
  const restored = await small.reload()
  expect(restored.hash()).toBe(small.hash())
  expect([...restored.world.records(PETITIONED).entries()]).toEqual([
    ...small.world.records(PETITIONED).entries(),
  ])
})

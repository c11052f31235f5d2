/** Writing to an empire: what is filed, how often, and what is refused. */
import { beforeEach, expect, test } from 'vitest'
import { EMPIRES } from '../../../core/catalog/index.ts'
import type { Eid } from '../../../core/types.ts'
import { playerId } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { PETITIONED } from '../../../systems/petition/state.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'
import { refusesNow } from '../faction/scene.ts'

let small: SmallWorld
let ada: Eid
let ben: Eid
beforeEach(async () => {
  small = await smallWorld({ players: 2 })
  ;[ada, ben] = small.players
})

const filed = () => (small.store.archive.rows.get('filePetition') ?? []).map(({ args }) => args)
const write = (player: Eid, empire_id: string, message = 'More patrols.') =>
  small.ask(player, 'petition', { empire_id, message })

test('petition is filed as written, trimmed, with who wrote it', () => {
  expect(write(ada, 'voidborn', '  More patrols.\n')).toMatchObject({
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

test('one petition an hour, player and empire: rate_limited with the seconds left', () => {
  expect(write(ada, 'solarian').ok).toBe(true)
  small.tick()
  const wait_seconds = 3_590
  refusesNow(small, ada, ['petition', { empire_id: 'SOLARIAN ', message: 'Again.' }], {
    code: 'rate_limited',
    details: { wait_seconds },
  })
  expect(write(ada, 'crimson').ok).toBe(true)
  expect(write(ben, 'solarian').ok).toBe(true)
  small.ticks(358)
  expect(write(ada, 'solarian')).toMatchObject({ code: 'rate_limited' })
  small.ticks(1)
  expect(write(ada, 'solarian').ok).toBe(true)
  expect(filed()).toHaveLength(4)
})

test.each([
  ['invalid_empire', { empire_id: 'atlantis', message: 'Help.' }],
  ['too_long', { empire_id: 'solarian', message: 'x'.repeat(1_001) }],
  ['invalid_payload', { empire_id: 'solarian', message: ' \n ' }],
  ['invalid_payload', { empire_id: 'solarian', message: 'a\u202eb' }],
  ['invalid_payload', { empire_id: 'solarian', message: 'a\u0007b' }],
  ['invalid_payload', { empire_id: 'solarian', message: 'a\ud800b' }],
])('petition refuses %s and files nothing', (code, params) => {
  refusesNow(small, ada, ['petition', params], code)
  expect(filed()).toEqual([])
})

test('counts code points: 1,000 of two units each pass', () => {
  expect(write(ada, 'nebula', '\u{1f680}'.repeat(1_000)).ok).toBe(true)
})

test('a reload remembers when one wrote', async () => {
  write(ada, 'outerrim')
  const again = await small.reload()
  expect(again.hash()).toBe(small.hash())
  expect([...again.world.records(PETITIONED).entries()]).toEqual([
    ...small.world.records(PETITIONED).entries(),
  ])
})

/** The action log as other domains write it, and the captain's log by command. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ArchivedAction } from '../../../core/archive-calls.ts'
import type { Outcome } from '../../../core/errors.ts'
import { balanceOf, namedAccount } from '../../../core/ledger.ts'
import type { Eid } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { Player, PlayerStats, STATS } from '../../../systems/account/state.ts'
import { foundFaction } from '../../../systems/faction/member-rules.ts'
import { factionIdOf } from '../../../systems/faction/model.ts'
import { creditMove, logAction, logCredits } from '../../../systems/log/rules.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'

onSmallMap()

let start: SmallWorld
let small: SmallWorld
let ada: Eid
let ben: Eid

beforeAll(async () => {
  start = await smallWorld({ players: 2 })
  ;[ada, ben] = start.players
})

beforeEach(async () => {
  small = await start.reload()
})

const numberOf = (player: Eid): number => small.world.read(Player).seq[player]
const codeOf = (outcome: Outcome<unknown>) => (outcome.ok ? 'ok' : outcome.code)
const logged = (): ArchivedAction[] =>
  small.world.outbox.writes.flatMap((write) =>
    write.method === 'logActions' ? write.args.rows : [],
  )

describe('the action log', () => {
  it('is written once a batch, in the order of posting', () => {
    logAction(small.world, ada, 'navigation', 'jump', 'Jumped.')
    small.world.outbox.writes.push({ method: 'dropNote', args: { note: 1 } })
    logAction(small.world, ben, 'mining', 'yield', 'Mined 5.', { units: 5 })
    expect(small.world.outbox.writes.map((write) => write.method)).toEqual([
      'logActions',
      'dropNote',
    ])
    expect(logged()).toEqual([
      {
        player: numberOf(ada),
        category: 'navigation',
        eventType: 'navigation.jump',
        summary: 'Jumped.',
        data: {},
      },
      {
        player: numberOf(ben),
        category: 'mining',
        eventType: 'mining.yield',
        summary: 'Mined 5.',
        data: { units: 5 },
      },
    ])
  })

  it('starts a new write after the outbox was taken', () => {
    logAction(small.world, ada, 'other', 'one', 'One.')
    const taken = small.world.outbox.writes.splice(0)
    logAction(small.world, ada, 'other', 'two', 'Two.')
    expect(taken).toHaveLength(1)
    expect(taken[0].args).toHaveProperty('rows.length', 1)
    expect(logged().map((row) => row.summary)).toEqual(['Two.'])
  })

  it('logs movements that add up to the balance of a wallet', () => {
    const { world } = small
    const wallet = walletOf(world, ada)
    const before = balanceOf(world, wallet)
    creditMove(world, ada, namedAccount('missions'), wallet, 500, 'mission', 'reward', 'Paid.')
    creditMove(world, ada, wallet, namedAccount('fee_sink'), 120, 'trading', 'fee', 'A fee.')
    creditMove(world, ada, wallet, walletOf(world, ben), 80, 'trading', 'paid', 'Paid Ben.')
    logCredits(world, ben, 80, 'trading', 'earned', 'Paid by Ada.')
    let balance = before
    for (const row of logged().filter((entry) => entry.player === numberOf(ada))) {
      balance += Number(row.data?.delta)
      expect(row.data?.balance).toBe(balance)
    }
    expect(balance).toBe(balanceOf(world, wallet))
    expect(balance).toBe(before + 300)
    expect(logged().at(-1)?.data).toEqual({
      delta: 80,
      balance: balanceOf(world, walletOf(world, ben)),
    })
  })

  it('logs nothing when nothing moves', () => {
    const { world } = small
    const wallet = walletOf(world, ada)
    creditMove(world, ada, wallet, namedAccount('fee_sink'), 0, 'trading', 'fee', 'A fee.')
    expect(logged()).toEqual([])
  })

  it('fails on a movement that does not involve the wallet', () => {
    const { world } = small
    expect(() =>
      creditMove(
        world,
        ada,
        namedAccount('missions'),
        namedAccount('fee_sink'),
        5,
        'other',
        'x',
        'X.',
      ),
    ).toThrow()
  })
})

describe("the captain's log", () => {
  const entries = (): number =>
    small.world.read(PlayerStats).values[
      ada * PlayerStats.columns.values.width + STATS.indexOf('captains_log_entries')
    ]

  it('captains_log_add keeps an entry and counts it', () => {
    const outcome = small.ask(ada, 'captains_log_add', { entry: '  Day 1.\n' })
    expect(outcome).toMatchObject({ ok: true, result: { index: 0 } })
    const [written] = small.store.archive.rows.get('addLogEntry') ?? []
    expect(written.args).toEqual({ player: numberOf(ada), entry: 'Day 1.' })
    expect(entries()).toBe(1)
  })

  it('captains_log_add accepts up to 30,000 bytes', () => {
    const add = (entry: string) => codeOf(small.ask(ada, 'captains_log_add', { entry }))
    expect(add('é'.repeat(15_000))).toBe('ok')
    expect(add('é'.repeat(15_001))).toBe('too_long')
    expect(add(' \n')).toBe('invalid_payload')
  })

  it('captains_log_delete returns the number left, and checks its index', () => {
    for (const entry of ['one', 'two', 'three']) small.ask(ada, 'captains_log_add', { entry })
    expect(small.ask(ada, 'captains_log_delete', { index: 1 })).toMatchObject({
      result: { index: 1, remaining_count: 2 },
    })
    for (const index of [2, -1]) {
      expect(codeOf(small.ask(ada, 'captains_log_delete', { index }))).toBe('invalid_index')
    }
  })

  it("captains_log_list and captains_log_get request the player's own log", () => {
    expect(small.ask(ada, 'captains_log_list', {})).toEqual({
      ok: true,
      result: { player: numberOf(ada) },
    })
    expect(small.ask(ada, 'captains_log_list', { index: 3 })).toMatchObject({
      result: { player: numberOf(ada), index: 3 },
    })
    expect(small.ask(ben, 'captains_log_get', { index: 0 })).toMatchObject({
      result: { player: numberOf(ben), index: 0 },
    })
  })
})

describe('get_action_log', () => {
  const read = (params: object) => small.ask(ada, 'get_action_log', params)

  it("requests the player's own log, 50 entries a page", () => {
    expect(read({})).toEqual({
      ok: true,
      result: { player: numberOf(ada), page: 1, pageSize: 50 },
    })
    expect(read({ category: 'all', event_type: [] })).toEqual(read({}))
  })

  it('passes on category, event types and the id to start after', () => {
    const params = { category: 'mining', event_type: ['a.b', 'a.b', 'c.d'], since_id: 7 }
    expect(read(params)).toMatchObject({
      result: { category: 'mining', eventTypes: ['a.b', 'c.d'], sinceId: 7 },
    })
    expect(read({ event_type: 'a.b' })).toMatchObject({ result: { eventTypes: ['a.b'] } })
  })

  it('limits page and page size to 1,000 and 100', () => {
    expect(read({ page: 5_000, page_size: 500 })).toMatchObject({
      result: { page: 1_000, pageSize: 100 },
    })
  })

  it("shows the log of the player's faction by id or tag, and refuses others: not_a_member", () => {
    const { world } = small
    expect(read({ faction_id: 'FREE' })).toMatchObject({ code: 'not_a_member' })
    const faction = foundFaction(world, ada, 'Free Haulers', 'FREE')
    const factionId = factionIdOf(world, faction)
    for (const faction_id of ['free', factionId]) {
      const outcome = read({ faction_id })
      expect(outcome).toMatchObject({ ok: true, result: { factionId } })
      expect(outcome).not.toHaveProperty('result.player')
    }
    expect(codeOf(small.ask(ben, 'get_action_log', { faction_id: factionId }))).toBe('not_a_member')
    expect(codeOf(read({ faction_id: '' }))).toBe('not_a_member')
  })

  it('refuses invalid_category', () => {
    expect(read({ category: 'gossip' })).toMatchObject({ code: 'invalid_category' })
  })
})

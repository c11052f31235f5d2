/**
 * The limits per player, session and tick of accounts.md section 10, on the wire of a real server.
 * ../http.test.ts tests that of get_notifications. Part of limits.test.ts.
 */
import { expect, test } from 'vitest'
import type { Params } from '../../../bench/client.ts'
import type { Answer } from '../wire.ts'
import { enter, expectLimited, logIn, newVisitor, type Stage } from './stage.ts'

type Ask = (command: string, params?: Params) => Promise<Answer>

/** Registers a new player who sends HTTP v1 requests from an address of their own. */
async function newPlayer(stage: Stage): Promise<Ask> {
  const visitor = newVisitor(stage)
  const header = { 'x-session-id': (await enter(visitor)).session }
  return (command, params = {}) => visitor.post(`/api/v1/${command}`, params, header)
}

function codeOf({ status, body }: Answer): unknown {
  if (status === 200) return 'ok'
  return status === 429 ? body.code : (body.error as Params).code
}

export function testPlayerLimits(stageOf: () => Stage): void {
  const player = (): Promise<Ask> => newPlayer(stageOf())

  test('a player may chat 20 times a minute, apart from other writes', async () => {
    const ask = await player()
    for (let i = 0; i < 20; i++)
      expect(codeOf(await ask('chat', { channel: 'local', content: `word ${i}` }))).toBe('ok')
    const answer = await ask('chat', { channel: 'local', content: 'one more' })
    expectLimited(answer)
    expect(answer.body.retry_after).toBeLessThanOrEqual(60)
    expect(codeOf(await ask('set_status', { status_message: 'still here' }))).toBe('ok')
  })

  test('a player may make 120 immediate writes a minute', async () => {
    const [ask, other] = [await player(), await player()]
    for (let i = 0; i < 120; i++)
      expect(codeOf(await ask('set_status', { status_message: `at ${i}` }))).toBe('ok')
    const answer = await ask('set_status', { status_message: 'late' })
    expectLimited(answer)
    expect(answer.body.retry_after).toBe(60)
    // Queries, chat and the writes of other players do not count.
    expect(codeOf(await ask('get_status'))).toBe('ok')
    expect(codeOf(await ask('chat', { channel: 'local', content: 'hello' }))).toBe('ok')
    expect(codeOf(await other('set_status', { status_message: 'x' }))).toBe('ok')
    stageOf().clock.advance(60_000)
    expect(codeOf(await ask('set_status', { status_message: 'again' }))).toBe('ok')
  })

  test('an action that writes at once counts as an immediate on v1 too', async () => {
    const ask = await player()
    const describe = { action: 'set_description', facility_id: 'x', description: 'words' }
    const wrong = await ask('facility', describe)
    expect(codeOf(wrong)).not.toBe('rate_limited')
    for (let i = 1; i < 120; i++)
      expect(codeOf(await ask('set_status', { status_message: `at ${i}` }))).toBe('ok')
    expectLimited(await ask('facility', describe))
    expect(codeOf(await ask('facility', { action: 'help' }))).toBe('ok')
    stageOf().clock.advance(60_000)
  })

  test('a player may write 4 MiB of text a minute over all channels', async () => {
    const visitor = newVisitor(stageOf())
    const account = await enter(visitor)
    const socket = await logIn(visitor, account)
    const padding = 'x'.repeat(512 * 1024 - 100)
    const payload = { status_message: 'x' }
    const codes: unknown[] = []
    for (let i = 0; i < 9; i++) {
      stageOf().clock.advance(500)
      socket.send({ type: 'set_status', payload, padding })
      codes.push((await socket.next()).payload.code)
    }
    expect(codes).toEqual([...Array<undefined>(8).fill(undefined), 'rate_limited'])
    const header = { 'x-session-id': account.session }
    const body = { ...payload, padding: 'x'.repeat(400 * 1024) }
    expectLimited(await visitor.post('/api/v1/set_status', body, header))
    stageOf().clock.advance(10_000)
    expect(codeOf(await visitor.post('/api/v1/set_status', body, header))).toBe('ok')
    socket.ws.close()
  })

  test('a player may give 20 battle orders a tick', async () => {
    const ask = await player()
    for (let i = 0; i < 20; i++)
      expect(codeOf(await ask('battle', { action: 'advance' }))).toBe('not_in_battle')
    const answer = await ask('battle', { action: 'advance' })
    expectLimited(answer)
    expect(answer.body.retry_after).toBe(1)
    expect(codeOf(await ask('battle', { action: 'help' }))).toBe('ok')
    await stageOf().server.link.step(1)
    expect(codeOf(await ask('battle', { action: 'advance' }))).toBe('not_in_battle')
  })

  test('self_destruct can be sent 5 times a minute from an IP address', async () => {
    const ask = await player()
    const first = ask('self_destruct')
    await stageOf().server.untilPending(1)
    const second = ask('self_destruct')
    await stageOf().server.untilPending(2)
    for (let i = 0; i < 3; i++) expect(codeOf(await ask('self_destruct'))).toBe('action_pending')
    expectLimited(await ask('self_destruct'))
    await stageOf().server.link.step(2)
    expect((await first).status).not.toBe(429)
    expect((await second).status).not.toBe(429)
    stageOf().clock.advance(60_000)
    const later = ask('self_destruct')
    await stageOf().server.untilPending(1)
    await stageOf().server.link.step(1)
    expect((await later).status).not.toBe(429)
  })

  test('a player may send each empire one petition an hour', async () => {
    const ask = await player()
    const message = 'More patrols at the rim.'
    expect(codeOf(await ask('petition', { empire_id: 'solarian', message }))).toBe('ok')
    const answer = await ask('petition', { empire_id: 'solarian', message })
    expectLimited(answer)
    expect(Number(answer.body.retry_after)).toBeGreaterThan(3_500)
    expect(codeOf(await ask('petition', { empire_id: 'nebula', message }))).toBe('ok')
  })

  test('a player may open 30 forum threads an hour', async () => {
    const ask = await player()
    const post = async (i: number): Promise<Answer> => {
      const params = { title: `Thread ${i}`, content: 'Words.', category: 'general' }
      const answer = ask('forum_create_thread', params)
      await stageOf().server.untilPending(1)
      await stageOf().server.link.step(1)
      return answer
    }
    for (let i = 0; i < 30; i++) expect(codeOf(await post(i))).toBe('ok')
    const late = await post(30)
    expectLimited(late)
    expect(Number(late.body.retry_after)).toBeLessThanOrEqual(3_600)
  })
}

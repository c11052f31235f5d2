/**
 * Tools for disputes, used on a running server: explain shows what happened, correct repairs it by
 * commands in the journal, and a signed proof of a tick is compared with an export of the world.
 */
import { generateKeyPairSync, sign } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHANNELS, type Client, type Params } from '../../bench/client.ts'
import { connect as connectClient } from '../../bench/clients.ts'
import { stateHash } from '../../core/hash.ts'
import { type ProofBody, proofText } from '../../core/public/proof.ts'
import { createRegistry } from '../../core/registry.ts'
import { loadWorld } from '../../engine/start.ts'
import {
  chunksOf,
  createPartReader,
  packImageAtOnce,
  packManifest,
  sealOf,
  sha256,
  unpackManifest,
} from '../../storage/snapshot-format.ts'
import { storedChunk } from '../../storage/snapshots.ts'
import { createExport, readExport } from '../../storage/transfer-file.ts'
import { openWorldFile } from '../../storage/world-file.ts'
import { DOMAINS } from '../../systems/registry.ts'
import { givenDatabase, type TestDatabase } from '../databases.ts'
import { startTestServer, type TestServer } from '../servers.ts'
import { orreryHere, refusalOf } from './cli.ts'

const CODE = 'very-secret-code'

let database: TestDatabase
let server: TestServer
let client: Client
let folder: string
let settings: Record<string, string>
/** The tick after the registration, in which the player has the ship. */
let shipTick = 0
let shipId = ''
let credits = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'orrery-proof-'))
  chmodSync(folder, 0o755)
  database = await givenDatabase()
  // The journal of most ticks is compressed, and every second tick has a state hash.
  server = await startTestServer(database, {
    isSmallMap: true,
    settings: { SNAPSHOT_EVERY: '6', SNAPSHOT_KEEP: '1', HASH_EVERY: '2', SPECTATOR_DELAY: '2' },
  })
  settings = { DATABASE_URL: database.url, DATABASE_SCHEMA: server.schema }
  client = await connectClient(server.url, 'http1')
  await server.link.step(1)
  const registered = await server.play(client, 'register', {
    username: 'Plaintiff',
    empire: 'solarian',
    registration_code: CODE,
  })
  expect(registered.ok).toBe(true)
  shipId = String((await status()).ship_id)
  credits = Number((await status()).credits)
  shipTick = tick()
})
afterAll(async () => {
  await client.close()
  await server.stop()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

async function report(args: readonly string[]): Promise<Params> {
  const ran = await orreryHere([...args, '--json'], settings)
  expect({ args, code: ran.code, stderr: ran.stderr }).toMatchObject({ args, code: 0 })
  return JSON.parse(ran.stdout) as Params
}

const refusal = (line: string, code = 1): Promise<string> => refusalOf(line, { code, settings })
const tick = (): number => server.link.state().tick
const rows = (value: unknown): Params[] => value as Params[]
const REASON = ['--reason', 'The market took the order twice.']

const status = async (): Promise<Params> => {
  const { player, ship } = (await client.call('get_status')).result as {
    player: Params
    ship: Params
  }
  return { ...player, ship_id: ship.id, docked: player.docked_at_base }
}

test('explain shows the commands of a player and their answers, without secrets', async () => {
  const bought = await server.play(client, 'buy', { item_id: 'fuel_cell', quantity: 2 })
  const traded = tick()
  await server.link.step(3)
  const args = ['explain', '--player', 'plaintiff', '--from', '0', '--to', String(tick())]
  const found = await report(args)
  const happenings = rows(found.happenings)
  const trade = happenings.find((happening) =>
    rows(happening.sent).some(({ command }) => command === 'buy'),
  ) as Params
  expect(trade).toMatchObject({
    tick: traded,
    part: 0,
    sent: [{ command: 'buy', params: { item_id: 'fuel_cell', quantity: 2 }, channel: 'http1' }],
    answered: [{ command: 'buy', ok: bought.ok }],
  })
  const text = await orreryHere(args, settings)
  expect(text).toMatchObject({ code: 0 })
  expect(text.stdout).toContain('sent buy {"item_id":"fuel_cell","quantity":2} (http1)')
  for (const shown of [text.stdout, JSON.stringify(found)]) expect(shown).not.toContain(CODE)
  // A limited report names the tick with which to continue.
  const first = await report([...args, '--limit', '1'])
  expect(rows(first.happenings).length).toBeLessThan(happenings.length)
  expect(first.next).toBeGreaterThan(0)
  const page = await orreryHere([...args, '--limit', '1'], settings)
  expect(page.stdout).toContain(`continue with --from ${first.next} --to`)
})

test('explain refuses an invalid command with a hint at what is allowed', async () => {
  expect(await refusal('explain --player Nobody --from 1')).toContain('no player "Nobody"')
  expect(await refusal('explain --player Plaintiff --from 1 --to 99999')).toMatch(
    /Tick 99999 is out of reach .* ticks 0 to \d+/,
  )
  expect(await refusal('explain --player Plaintiff --from 5 --to 4', 2)).toContain('lies before')
  expect(await refusal('explain --player Plaintiff', 2)).toContain('--from')
  expect(await refusal('explain --player Plaintiff --from 1 --limit 0', 2)).toContain('from 1')
})

test('a correction is applied at once, logged, sent to the player and explained', async () => {
  const before = Number((await status()).credits)
  const given = await report(['correct', 'grant', 'Plaintiff', '--credits', '700', ...REASON])
  expect(given).toMatchObject({ username: 'Plaintiff', tick: tick(), balance: before + 700 })
  await report(['correct', 'grant', 'Plaintiff', '--credits=-200', ...REASON])
  expect((await status()).credits).toBe(before + 500)
  const { entries } = (
    await client.call('get_action_log', { event_type: 'other.correction_grant' })
  ).result as { entries: Params[] }
  expect(entries).toHaveLength(2)
  expect(entries[1].summary).toBe(
    'An operator gave you 700 credits. Reason: The market took the order twice.',
  )
  const pushed = client.pushes().filter(({ type }) => type === 'operator_correction')
  expect(pushed.map(({ payload }) => payload.kind)).toEqual(['grant', 'grant'])
  await server.link.step(1)
  const explained = await report(['explain', '--player', '1', '--from', String(given.tick)])
  expect(JSON.stringify(explained.happenings)).toContain('internal:correct_grant')
  const nowhere = ['correct', 'move', 'Plaintiff', '--to', 'nowhere', ...REASON]
  const refused = await orreryHere(nowhere, settings)
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no base or place “nowhere”'),
  })
  const long = ['correct', 'grant', 'Plaintiff', '--credits', '5', '--reason', 'x'.repeat(501)]
  expect(await orreryHere(long, settings)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('1 to 500'),
  })
  expect(await refusal('correct grant Plaintiff --credits 5', 2)).toContain('--reason')
  expect(await refusal('correct grant Plaintiff --reason x', 2)).toContain('--credits')
  expect(await refusal('correct grant Plaintiff --credits 0 --reason x', 2)).toContain('below 0')
  expect(await refusal('correct grant Plaintiff --item iron_ore --reason x', 2)).toContain(
    'together',
  )
  expect(await refusal('correct grant Nobody --credits 5 --reason x')).toContain('no player')
})

test('correct restore-ship refuses a ship that still exists or never did', async () => {
  const base = String((await status()).docked)
  const options = ['--at', String(shipTick), '--base', base, ...REASON]
  const restore = (ship: string) =>
    orreryHere(['correct', 'restore-ship', 'Plaintiff', '--ship', ship, ...options], settings)
  expect(await restore(shipId)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not lost: it belongs to Plaintiff'),
  })
  expect(await restore('no-such-ship')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('had no ship no-such-ship'),
  })
})

test('no player can send a correction on any channel', async () => {
  const before = Number((await status()).credits)
  for (const channel of CHANNELS) {
    const stranger = channel === 'http1' ? client : await connectClient(server.url, channel)
    for (const command of ['internal:correct_grant', 'correct_grant', 'correct']) {
      const reply = await stranger
        .call(command, { player: 1, credits: 1_000, reason: 'greed' })
        .catch((error: unknown) => ({ ok: false, error }))
      expect({ channel, command, ok: reply.ok }).toEqual({ channel, command, ok: false })
    }
    if (stranger !== client) await stranger.close()
  }
  expect((await status()).credits).toBe(before)
})

const ask = async (path: string) => {
  const reply = await fetch(`${server.url}${path}`)
  return { status: reply.status, reply, body: (await reply.json()) as Params }
}

async function proofOf(provedTick: number): Promise<ProofBody> {
  const { status: code, body } = await ask(`/api/proof/${provedTick}`)
  expect({ provedTick, code, body }).toMatchObject({ provedTick, code: 200 })
  return body as unknown as ProofBody
}

/** Writes a JSON file and returns its path. */
function saveJson(name: string, content: object): string {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(content))
  return file
}

/** Verifies an export against a proof; returns the exit code and its output. */
async function verify(proof: string, file: string, ...options: string[]) {
  const ran = await orreryHere(['verify', '--proof', proof, file, ...options], settings)
  return { code: ran.code, text: ran.stdout + ran.stderr }
}

let proved = 0
let exported = ''
let proof: ProofBody

test('an export of a public tick, compressed or not, is verified by its proof', async () => {
  await server.link.step(20)
  // The public range of ticks is updated a moment after the tick.
  await expect.poll(async () => (await ask('/api/proof')).body.to_tick).toBe(tick() - 2)
  const key = await ask('/api/proof')
  expect(key).toMatchObject({ status: 200, body: { algorithm: 'Ed25519' } })
  // Only even ticks have a state hash: an early one, which is compressed, and the last public one.
  for (const evenTick of [shipTick + (shipTick % 2), tick() - 2 - (tick() % 2)]) {
    proof = await proofOf(evenTick)
    expect(proof).toMatchObject({ tick: evenTick, public_key: key.body.public_key })
    expect(proof.state_hash).toMatch(/^[0-9a-f]{16}$/)
    expect(await proofOf(evenTick)).toEqual(proof)
    exported = join(folder, `tick-${evenTick}.orrery`)
    await report(['replay', '--at', String(evenTick), '--export', exported])
    const output = await verify(saveJson('proof.json', proof), exported)
    expect(output).toMatchObject({ code: 0, text: expect.stringContaining('Verified, but only') })
    expect(output.text).toContain(`hashes to ${proof.state_hash}`)
    expect(output.text).toContain('Not part of a proof: accounts')
    proved = evenTick
  }
  const trusted = saveJson('key.json', key.body)
  expect(await verify(join(folder, 'proof.json'), exported, '--key', trusted)).toMatchObject({
    code: 0,
    text: expect.stringMatching(/the key given with --key(.|\n)*Verified\.\n$/),
  })
  const whole = join(folder, 'whole.orrery')
  await report(['snapshot', 'export', whole, '--snapshot', 'oldest'])
  expect(await verify(join(folder, 'proof.json'), whole)).toMatchObject({ code: 0 })
})

test('a proof of a tick that is not public, or of no tick at all, is refused', async () => {
  for (const [path, text] of [
    [`/api/proof/${tick()}`, 'not public yet'],
    [`/api/proof/${tick() + 1_000}`, 'not public yet'],
    ['/api/proof/soon', 'whole number'],
  ]) {
    expect(await ask(path)).toMatchObject({
      status: 404,
      body: { code: 'not_found', message: expect.stringContaining(text) },
    })
  }
  const { reply } = await ask(`/api/proof/${proved}`)
  expect(reply.headers.get('cache-control')).toContain('max-age=3600')
})

test('a proof without a state hash is not verified and names a tick with one', async () => {
  const odd = proved - 1
  const proofFile = saveJson('odd.json', await proofOf(odd))
  const exportFile = join(folder, 'odd.orrery')
  await report(['replay', '--at', String(odd), '--export', exportFile])
  const output = await verify(proofFile, exportFile)
  expect(output).toMatchObject({ code: 1, text: expect.stringContaining('NOT VERIFIED') })
  expect(output.text).toMatch(/no state hash of tick \d+: ask for a proof of tick \d+/)
})

/** Signs a claim with a key that is not the world's. */
function signedByAnother(claim: ProofBody): ProofBody {
  const { privateKey } = generateKeyPairSync('ed25519')
  const changed = { ...claim, public_key: String(privateKey.export({ format: 'jwk' }).x) }
  const signature = sign(null, Buffer.from(proofText(changed)), privateKey).toString('base64url')
  return { ...changed, signature }
}

/**
 * Copies an export with one byte of a column changed and every checksum adjusted; with `isHashed`
 * the state hash too.
 */
async function forgeExport(path: string, isHashed: boolean): Promise<string> {
  const file = await openWorldFile(path)
  const manifest = unpackManifest(file.snapshot.layout)
  const reader = createPartReader(manifest)
  for (const chunk of file.chunks()) reader.add(chunk)
  const image = reader.finish()
  const accounts = image.tables.find(({ name }) => name === 'account')
  const column = accounts?.columns.find(({ name }) => name === 'credits')
  const bytes = column?.bytes as Uint8Array
  bytes[bytes.length - 2] ^= 1
  const registry = createRegistry(DOMAINS)
  const { tickMs = 0, maxEntities = 0 } = image
  const world = loadWorld({ registry, tickMs, maxEntities }, image, { isVerified: true })
  const hash = isHashed ? stateHash(world) : image.hash
  expect(stateHash(world)).not.toBe(image.hash)
  const packed = packImageAtOnce({ ...image, hash })
  const layout = packManifest(packed.manifest)
  const pieces = [...chunksOf(packed)]
  const chunks = pieces.map((piece) => sha256(piece))
  const { chain } = file.snapshot
  const row = { ...file.snapshot.row, hash }
  const out = join(folder, 'forged.orrery')
  const written = await createExport(out)
  await written.add('header', file.header)
  const seal = sealOf(layout, chain, chunks)
  await written.add('snapshot', { row, layout, chain, seal, chunks })
  for (const [index, piece] of pieces.entries()) {
    await written.add('chunk', storedChunk(chunks[index], piece))
  }
  await written.add('journal', file.journal)
  await written.finish()
  return out
}

/** Copies an export whose header has the public key but not the secret that belongs to it. */
async function stripSecret(path: string): Promise<string> {
  const out = join(folder, 'header.orrery')
  const written = await createExport(out)
  for await (const { kind, value } of readExport(path)) {
    const header = { ...(value as object), proof: { publicKey: proof.public_key } }
    await written.add(kind, kind === 'header' ? header : value)
  }
  await written.finish()
  return out
}

test('verify detects a forged signature, another key, another tick and changed bytes', async () => {
  const expectBad = async (name: string, content: ProofBody, text: string, file = exported) => {
    const output = await verify(saveJson(name, content), file)
    expect({ name, ...output }).toMatchObject({
      name,
      code: 1,
      text: expect.stringContaining(text),
    })
    expect(output.text).toContain('NOT VERIFIED')
  }
  const flipped = proof.signature.startsWith('A') ? 'B' : 'A'
  await expectBad(
    'signature.json',
    { ...proof, signature: flipped + proof.signature.slice(1) },
    'does not match',
  )
  await expectBad('hash.json', { ...proof, state_hash: '0'.repeat(16) }, 'does not match')
  await expectBad('other.json', signedByAnother(proof), 'of another world')
  await expectBad('early.json', await proofOf(shipTick), 'begins with batch')
  const strange = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x
  const output = await verify(saveJson('proof.json', proof), exported, '--key', String(strange))
  expect(output).toMatchObject({ code: 1, text: expect.stringContaining('not the key given') })

  const text = 'does not hold a whole world'
  await expectBad('proof.json', proof, text, await stripSecret(exported))
  const bytes = readFileSync(exported)
  bytes[Math.floor(bytes.length / 2)] ^= 1
  const damaged = join(folder, 'damaged.orrery')
  writeFileSync(damaged, bytes)
  await expectBad('proof.json', proof, 'is damaged', damaged)
  const unhashed = await forgeExport(exported, false)
  await expectBad('proof.json', proof, 'The world in the export is damaged', unhashed)
  const rehashed = await forgeExport(exported, true)
  await expectBad('proof.json', proof, `not to ${proof.state_hash}`, rehashed)

  expect(await refusal(`verify --proof ${exported} ${exported}`)).toMatch(/not a proof|too long/)
  expect(await refusal(`verify --proof ${join(folder, 'proof.json')} nowhere`)).toContain(
    'no such file',
  )
  expect(credits).toBeGreaterThan(0)
})

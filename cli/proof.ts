/**
 * `orrery verify`: checks an export of a world against a proof that its server has signed. Needs
 * nothing but the two files.
 */
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { ConfigError } from '../config.ts'
import type { Engine } from '../core/engine.ts'
import { stateHash } from '../core/hash.ts'
import { PROOF_ALGORITHM, type ProofBody } from '../core/public/proof.ts'
import { RULES_RELEASES, RULES_VERSION } from '../core/version.ts'
import { decodeJournalRow } from '../storage/journal-row.ts'
import { isSigned, type ProofSeal, sealedChain } from '../storage/proofs.ts'
import { createPartReader, unpackManifest } from '../storage/snapshot-format.ts'
import { openWorldFile, type WorldFile } from '../storage/world-file.ts'
import { count, styled } from './format.ts'
import { plain } from './shown.ts'
import { addTool, type Report, type Tool, type ToolDef, ToolError } from './tool.ts'
import { engineOf, replay } from './world.ts'

const PROOF_BYTES_MAX = 64 * 1024

interface Finding {
  readonly ok: boolean
  readonly text: string
}

const good = (text: string): Finding => ({ ok: true, text })
const bad = (text: string): Finding => ({ ok: false, text })

const isText = (value: unknown, form: RegExp): boolean =>
  typeof value === 'string' && form.test(value)
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0

/** Reads a proof from a file, as a server returned it; throws ToolError if it is not one. */
async function readProof(file: string): Promise<ProofBody> {
  const path = resolve(file)
  const { size } = await stat(path)
  if (size > PROOF_BYTES_MAX) throw new ToolError(`${path} is too long to be a proof.`)
  let proof: ProofBody | undefined
  try {
    proof = JSON.parse(await readFile(path, 'utf8')) as ProofBody
  } catch {
    proof = undefined
  }
  const isProof =
    typeof proof === 'object' &&
    proof !== null &&
    [proof.tick, proof.batch, proof.rules_version].every(isCount) &&
    isText(proof.epoch, /^[^\n]{1,200}$/) &&
    isText(proof.journal_chain, /^[0-9a-f]{64}$/) &&
    isText(proof.public_key, /^[\w-]{43}$/) &&
    isText(proof.signature, /^[\w-]{86}$/) &&
    (proof.state_hash === null || isText(proof.state_hash, /^[0-9a-f]{16}$/))
  if (proof && isProof) return proof
  throw new ToolError(
    `${path} is not a proof: save the answer of GET /api/proof/{tick} of a server.`,
  )
}

/** Reads a trusted key: the key itself, or a file with the key or the answer of /api/proof. */
async function readTrusted(text: string): Promise<string> {
  if (/^[\w-]{43}$/.test(text)) return text
  const content = (await readFile(resolve(text), 'utf8')).trim()
  if (/^[\w-]{43}$/.test(content)) return content
  try {
    const { public_key } = JSON.parse(content) as { public_key?: unknown }
    if (isText(public_key, /^[\w-]{43}$/)) return public_key as string
  } catch {
    // Not JSON either.
  }
  throw new ToolError(`${text} is not a public key: give the answer of GET /api/proof.`)
}

function judgeKey(proof: ProofBody, seal: ProofSeal | undefined, trusted?: string): Finding[] {
  if (!isSigned(proof)) {
    return [bad('The signature does not match: the proof was changed, or signed by somebody else.')]
  }
  const findings = [good(`The proof of tick ${proof.tick} is signed by key ${proof.public_key}.`)]
  if (trusted !== undefined) {
    findings.push(
      trusted === proof.public_key
        ? good('That is the key given with --key.')
        : bad(`That is not the key given with --key, ${trusted}.`),
    )
  }
  if (!seal) {
    findings.push(
      bad('The export names no key: it was made by an older release, or its world never ran.'),
    )
  } else if (seal.publicKey !== proof.public_key) {
    findings.push(bad(`The export is of another world: its key is ${seal.publicKey}.`))
  } else findings.push(good('That is the key of the world in the export.'))
  return findings
}

interface ReplayedWorld {
  readonly engine: Engine
  readonly checksum: Uint8Array
}

/** Loads the world of an export and replays it up to the batch of a proof. */
async function reach(tool: Tool, file: WorldFile, batch: number): Promise<ReplayedWorld> {
  const manifest = unpackManifest(file.snapshot.layout)
  const reader = createPartReader(manifest)
  for (const chunk of file.chunks()) reader.add(chunk)
  const engine = await engineOf(tool, reader.finish())
  let checksum = file.snapshot.chain
  const all = batch - manifest.batch
  for (const row of file.journal) {
    if (row.batch > batch) break
    await replay(engine, decodeJournalRow(row, checksum))
    checksum = row.checksum
    tool.progress('batches replayed', row.batch - manifest.batch, all)
  }
  return { engine, checksum }
}

/** Explains why the export does not include the batch of a proof; undefined if it does. */
function spanProblem(file: WorldFile, proof: ProofBody): string | undefined {
  const { batch: from, tick } = file.snapshot.row
  const { headBatch: to } = file.header
  if (proof.batch < from) {
    return `The export begins with batch ${from} (tick ${tick}), after batch ${proof.batch} of the proof.`
  }
  if (proof.batch > to) {
    return `The export ends with batch ${to}, before batch ${proof.batch} (tick ${proof.tick}) of the proof.`
  }
  return undefined
}

/** Returns whether an error can come from a damaged or forged file, rather than from a setting. */
const isDamage = (error: unknown): error is Error =>
  error instanceof Error && !(error instanceof ConfigError) && !('syscall' in error)

async function judgeWorld(tool: Tool, file: WorldFile, proof: ProofBody): Promise<Finding[]> {
  const problem = spanProblem(file, proof)
  if (problem !== undefined) return [bad(problem)]
  if (proof.rules_version !== RULES_VERSION) {
    const release = RULES_RELEASES[proof.rules_version] ?? 'another release'
    return [
      bad(
        `Not verified: the tick ran under rules ${proof.rules_version}, which ${release} can replay ` +
          `but this release (rules ${RULES_VERSION}) cannot.`,
      ),
    ]
  }
  let reached: ReplayedWorld
  try {
    reached = await reach(tool, file, proof.batch)
  } catch (error) {
    if (!isDamage(error)) throw error
    return [bad(`The world in the export is damaged: ${error.message}`)]
  }
  const { engine, checksum } = reached
  const { world } = engine
  const findings: Finding[] = []
  const chain = file.header.proof && sealedChain(file.header.proof.seal, checksum)
  findings.push(
    chain === proof.journal_chain
      ? good(`The chain of the journal up to batch ${proof.batch} is the one that was signed.`)
      : bad(`The chain of the journal at batch ${proof.batch} is not the one that was signed.`),
  )
  if (world.batch !== proof.batch || world.tick !== proof.tick) {
    findings.push(bad(`Batch ${world.batch} of the export is of tick ${world.tick}.`))
  }
  const hash = stateHash(world)
  if (proof.state_hash === null) {
    const near = [proof.hashed_ticks ?? []].flat().filter(isCount).join(' or ')
    const hint = near ? `: ask for a proof of tick ${near}` : ''
    findings.push(bad(`Not verified: the proof has no state hash of tick ${proof.tick}${hint}.`))
  } else {
    findings.push(
      hash === proof.state_hash
        ? good(`The state of tick ${proof.tick}, computed from the export, hashes to ${hash}.`)
        : bad(`The state of tick ${proof.tick} hashes to ${hash}, not to ${proof.state_hash}.`),
    )
  }
  return findings
}

/** Lists what a proof does not cover. */
function limitsOf(file: WorldFile, proof: ProofBody): string[] {
  const later = file.header.headBatch - proof.batch
  return [
    'Not part of a proof: accounts, and texts of the archive (chat, forum, notes, logs).',
    ...(later > 0
      ? [`Not part of this proof: ${count(later, 'batch', 'batches')} after it in the export.`]
      : []),
    'The state hash (64 bits) detects differences; only the chain (SHA-256) cannot be forged.',
  ]
}

const verifyProofTool: ToolDef = {
  usage: 'verify <export>',
  summary: 'check an export of a world against a proof that its server has signed',
  help:
    'A proof is the answer of GET /api/proof/{tick} of a server, saved to a file; an export is made\n' +
    'by "replay --at T --export FILE" or "snapshot export". The world is loaded and replayed up to\n' +
    'the tick of the proof. Exit code 1 if anything does not match or could not be verified.',
  settings: ['MAX_ENTITIES', 'TICK_MS', 'CHECK_EVERY'],
  options: [
    new Option('--proof <file>', 'the proof').makeOptionMandatory(),
    new Option(
      '--key <key>',
      'the public key to trust, or a file with the answer of GET /api/proof; absent: that of the export',
    ),
  ],
  async run(tool, [name], options): Promise<Report> {
    const proof = await readProof(String(options.proof))
    const trusted = options.key === undefined ? undefined : await readTrusted(String(options.key))
    const path = resolve(name)
    let file: WorldFile
    try {
      await stat(path)
      file = await openWorldFile(path, (done, all) =>
        tool.progress('KiB of the export read', done, all),
      )
    } catch (error) {
      if (!isDamage(error)) throw error
      return reportOf([bad(error.message)], proof, [])
    }
    const findings = judgeKey(proof, file.header.proof, trusted)
    const isKnown = findings.every((finding) => finding.ok)
    if (isKnown) findings.push(...(await judgeWorld(tool, file, proof)))
    else findings.push(bad('The world was not checked, because the proof is not for it.'))
    const isTrusted = trusted !== undefined
    const limits = limitsOf(file, proof)
    if (!isTrusted) limits.push(OWN_KEY)
    return reportOf(findings, proof, limits, isTrusted)
  },
}

/** The results; the key in an export is weaker, since a forger can put their own there. */
const VERIFIED = {
  given: 'Verified.',
  own: 'Verified, but only against the key in the export: give the key of the server with --key.',
} as const

const OWN_KEY =
  'The key is that of the export itself: compare it with the answer of the server at /api/proof, ' +
  'or give that answer with --key.'

function reportOf(
  findings: readonly Finding[],
  { tick, batch, epoch }: ProofBody,
  limits: readonly string[],
  isTrusted = false,
): Report {
  const ok = findings.every((finding) => finding.ok)
  const lines = [
    ...findings.map((finding) => `${finding.ok ? 'yes' : 'NO '}  ${plain(finding.text)}`),
    ...limits.map((text) => `     ${text}`),
    ok ? styled('green', VERIFIED[isTrusted ? 'given' : 'own']) : styled('red', 'NOT VERIFIED.'),
  ]
  const data = {
    ok,
    isTrustedKey: isTrusted,
    tick,
    batch,
    epoch,
    algorithm: PROOF_ALGORITHM,
    findings,
    limits,
  }
  return { data, text: lines.join('\n'), failed: !ok }
}

export function addProofTool(parent: Command): void {
  addTool(parent, verifyProofTool)
}

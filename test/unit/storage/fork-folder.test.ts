/** Files that an interrupted fork or export leaves on the disk, which the next one removes. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { thisProcess } from '../../../storage/embedded-files.ts'
import {
  claimFolder,
  makeTemporary,
  refuseUnfinished,
  releaseFolder,
} from '../../../storage/fork-folder.ts'
import { createExport } from '../../../storage/transfer-file.ts'

/** The id of no process: ids end at 2^22. */
const DEAD_PID = 99_999_999
const MARK = 'fork-under-way.json'

test('an export removes the file of a dead export and keeps that of a running one', async () => {
  const path = join(folder, 'world.orrery')
  const [running, dead] = [process.ppid, DEAD_PID].map((pid) => `${path}.${pid}.partial`)
  for (const name of [running, dead]) writeFileSync(name, 'half')
  const file = await createExport(path)
  await file.add('rows', {})
  const partial = readdirSync(folder).filter((name) => /^world.*partial$/.test(name))
  expect(partial).toEqual([running, `${path}.${process.pid}.partial`].map((name) => basename(name)))
  await file.finish()
  expect(readdirSync(folder).filter((name) => /^world/.test(name))).toEqual([
    'world.orrery',
    basename(running),
  ])
})

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'orrery-forks-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Makes a folder as a fork of this owner leaves it. */
function leaveFork(name: string, owner: object, mark: string): string {
  const place = join(folder, name)
  mkdirSync(join(place, 'postgres'), { recursive: true })
  writeFileSync(join(place, mark), JSON.stringify(owner))
  return place
}

test('a mark that was being removed still closes the folder until the next fork', () => {
  const dead = { pid: DEAD_PID, started: 'never' }
  const place = leaveFork('taken', dead, `${MARK}.${DEAD_PID}`)
  expect(() => refuseUnfinished(place)).toThrow('an unfinished fork')
  claimFolder(place)
  expect(readdirSync(place).sort()).toEqual([MARK, 'postgres'])
  releaseFolder(place)
  expect(() => refuseUnfinished(place)).not.toThrow()
})

test('a folder marked by a running process is not claimed, whatever the mark is called', () => {
  for (const mark of [MARK, `${MARK}.${process.pid}`]) {
    const place = leaveFork(`living ${mark}`, thisProcess(), mark)
    expect(() => claimFolder(place)).toThrow('Another process')
    expect(readdirSync(place).sort()).toEqual([mark, 'postgres'])
  }
})

test('a fork removes the files of dead forks and keeps those of running ones', () => {
  const root = join(folder, 'files')
  const dead = join(root, `orrery-fork-${DEAD_PID}-abc`)
  const others = join(root, 'orrery-fork-notes')
  for (const path of [dead, others]) {
    mkdirSync(path, { recursive: true })
    writeFileSync(join(path, 'world'), 'half of it')
  }
  const first = makeTemporary(root)
  const second = makeTemporary(root)
  expect(existsSync(dead)).toBe(false)
  expect([others, first, second].map((path) => existsSync(path))).toEqual([true, true, true])
})

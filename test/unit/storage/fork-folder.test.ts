/** Whatever a fork that was ended at some moment leaves on the disk, the next fork removes. */
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

/** No process has it: numbers end at 2^22. */
const DEAD_PID = 99_999_999
const MARK = 'fork-under-way.json'

test('an export leaves the file of another that is under way, and removes what one has left', async () => {
  const path = join(folder, 'world.orrery')
  const [theirs, left] = [process.ppid, DEAD_PID].map((pid) => `${path}.${pid}.partial`)
  for (const name of [theirs, left]) writeFileSync(name, 'half')
  const file = await createExport(path)
  await file.add('rows', {})
  const own = readdirSync(folder).filter((name) => /^world.*partial$/.test(name))
  expect(own).toEqual([theirs, `${path}.${process.pid}.partial`].map((name) => basename(name)))
  await file.finish()
  expect(readdirSync(folder).filter((name) => /^world/.test(name))).toEqual([
    'world.orrery',
    basename(theirs),
  ])
})

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'orrery-forks-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function leftBy(name: string, owner: object, mark: string): string {
  const place = join(folder, name)
  mkdirSync(join(place, 'postgres'), { recursive: true })
  writeFileSync(join(place, mark), JSON.stringify(owner))
  return place
}

test('a mark that was being taken away still closes the folder, and the next fork takes it', () => {
  const dead = { pid: DEAD_PID, started: 'never' }
  const place = leftBy('taken', dead, `${MARK}.${DEAD_PID}`)
  expect(() => refuseUnfinished(place)).toThrow('a fork that is not whole')
  claimFolder(place)
  expect(readdirSync(place).sort()).toEqual([MARK, 'postgres'])
  releaseFolder(place)
  expect(() => refuseUnfinished(place)).not.toThrow()
})

test('the mark of a live server is left alone, under any name', () => {
  for (const mark of [MARK, `${MARK}.${process.pid}`]) {
    const place = leftBy(`living ${mark}`, thisProcess(), mark)
    expect(() => claimFolder(place)).toThrow('Another process')
    expect(readdirSync(place).sort()).toEqual([mark, 'postgres'])
  }
})

test('files of interrupted forks are removed by the next one, those of live ones stay', () => {
  const root = join(folder, 'files')
  const dead = join(root, `orrery-fork-${DEAD_PID}-abc`)
  const others = join(root, 'orrery-fork-notes')
  for (const made of [dead, others]) {
    mkdirSync(made, { recursive: true })
    writeFileSync(join(made, 'world'), 'half of it')
  }
  const first = makeTemporary(root)
  const second = makeTemporary(root)
  expect(existsSync(dead)).toBe(false)
  expect([others, first, second].map((path) => existsSync(path))).toEqual([true, true, true])
})

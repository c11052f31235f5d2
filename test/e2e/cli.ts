/** The operators' tools under vitest: as orrery.ts runs them, and what they refuse. */
import { expect } from 'vitest'
import { orreryHere } from './orrery.ts'

export { orrery, orreryHere, spawnOrrery } from './orrery.ts'

/** What a tool says that must fail, with a sentence and no stack. */
export async function refusalOf(
  line: string,
  { code, settings = {} }: { code: number; settings?: Readonly<Record<string, string>> },
): Promise<string> {
  const ran = await orreryHere(line.split(' '), settings)
  expect({ line, code: ran.code, stdout: ran.stdout }).toMatchObject({ line, code })
  expect(ran.stderr).not.toMatch(/\n\s+at /)
  return ran.stderr
}

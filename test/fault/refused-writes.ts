/**
 * Makes synchronous writes below a folder fail, as on a full or read-only disk or in a folder of
 * another user. Loaded before the server (NODE_OPTIONS=--import), it reads the error code and the
 * folder from ORRERY_TEST_REFUSED, as in `ENOSPC:/folder`; within its own process a test calls `refuseWrites`.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { constants } from 'node:os'
import { resolve, sep } from 'node:path'

export const REFUSALS = ['ENOSPC', 'EROFS', 'EACCES'] as const
export type Refusal = (typeof REFUSALS)[number]

const WRITES = ['writeFileSync', 'mkdirSync', 'chmodSync', 'renameSync', 'symlinkSync'] as const

/** Refuses writes until the returned function is called. */
export function refuseWrites(code: Refusal, folder: string): () => void {
  const isInside = (path: unknown): boolean =>
    typeof path === 'string' && `${resolve(path)}${sep}`.startsWith(`${resolve(folder)}${sep}`)
  const refusal = (syscall: string, path: unknown): Error =>
    Object.assign(new Error(`${code}: refused, ${syscall} '${path}'`), {
      code,
      syscall,
      path,
      errno: -constants.errno[code],
    })
  const before = Object.fromEntries(WRITES.map((name) => [name, fs[name]]))
  for (const name of WRITES) {
    const real = fs[name] as (...args: unknown[]) => unknown
    Object.assign(fs, {
      [name]: (...args: unknown[]) => {
        // The first argument of symlinkSync is the target of the link.
        const path = name === 'symlinkSync' ? args[1] : args[0]
        if (isInside(path)) throw refusal(name, path)
        return real(...args)
      },
    })
  }
  syncBuiltinESMExports()
  return () => {
    Object.assign(fs, before)
    syncBuiltinESMExports()
  }
}

const [code, folder] = process.env.ORRERY_TEST_REFUSED?.split(/:(.*)/s) ?? []
const wanted = REFUSALS.find((refusal) => refusal === code)
if (wanted && folder) refuseWrites(wanted, folder)

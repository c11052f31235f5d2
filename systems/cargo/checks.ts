/**
 * What holds of holds and lockers after a tick. Source: trade-storage.md section 7, RELIABILITY 4
 * (I2, I8).
 *
 * What holds of packages after a tick. Source: trade-storage.md section 7.
 */
import { assert } from '../../core/assert.ts'
import { Container, isBare, namedContainer, unitsIn } from '../../core/goods.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { PACKAGE_SIZE } from '../craft/state.ts'
import { spaceUsed } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import {
  CARGO_CONTAINER,
  footprintOf,
  isNote,
  lockerOf,
  manifestOf,
  packedSize,
  placeOf,
  standsIn,
} from './model.ts'
import { Locker, Package } from './state.ts'

export const cargoAddsUp: CheckDef = {
  name: 'I8 a hold uses the space of what is in it',
  run(view, full) {
    if (!full) return
    const { alive, cargoUsed, hold } = view.read(Ship)
    for (let ship = 1; ship <= view.highOf(Ship); ship++) {
      if (alive[ship] === 0 || hold[ship] === 0) continue
      const used = spaceUsed(view, ship)
      assert(cargoUsed[ship] === used, `ship ${ship} counts ${cargoUsed[ship]} of ${used} in use`)
    }
  },
}

export const lockersFound: CheckDef = {
  name: 'lockers are found by owner and base',
  run(view, full) {
    if (!full) return
    const { alive, player, base, container } = view.read(Locker)
    for (let row = 1; row <= view.highOf(Locker); row++) {
      if (alive[row] === 0) continue
      const found = lockerOf(view, player[row], base[row])
      assert(found === container[row], `locker ${row} is not the one of its owner`)
    }
  },
}

function checkSealed(view: WorldView, pkg: Row): void {
  const { manifest, size } = view.read(Package)
  const { alive, packages } = view.read(Container)
  assert(alive[manifest[pkg]] === 1, `package ${pkg} has no manifest`)
  assert(packages[manifest[pkg]] === 0, `package ${pkg} has packages in it`)
  // one that waits in escrow for goods to be made may have none yet
  const isFilled = placeOf(view, pkg) === 'escrow' || !isBare(view, manifest[pkg])
  assert(isFilled, `package ${pkg} is empty`)
  const sum = packedSize(manifestOf(view, pkg))
  assert(sum === size[pkg] && sum <= PACKAGE_SIZE, `package ${pkg} of size ${sum}`)
}

function checkPlace(view: WorldView, pkg: Row): void {
  const { holder, ship, base, player } = view.read(Package)
  const { alive } = view.read(Container)
  const place = placeOf(view, pkg)
  assert(alive[holder[pkg]] === 1, `package ${pkg} stands nowhere`)
  assert(standsIn(view, holder[pkg], pkg), `package ${pkg} is not where it stands`)
  assert((ship[pkg] !== 0) === (place === 'cargo'), `package ${pkg} is in no hold`)
  if (place === 'cargo') {
    assert(view.read(Ship).hold[ship[pkg]] === holder[pkg], `package ${pkg} is in another hold`)
  }
  if (place === 'locker') {
    const locker = lockerOf(view, player[pkg], base[pkg])
    assert(locker === holder[pkg], `package ${pkg} is not in the locker of its owner`)
  }
}

export const packagesAreSound: CheckDef = {
  name: 'a package stands in one place, and so many cargo containers are in use',
  run(view, full) {
    if (!full) return
    const { alive, holder } = view.read(Package)
    const { packages, packageSpace } = view.read(Container)
    const counts = new Map<Row, number>()
    const spaces = new Map<Row, number>()
    let sealed = 0
    for (let pkg = 1; pkg <= view.highOf(Package); pkg++) {
      if (alive[pkg] === 0) continue
      checkPlace(view, pkg)
      if (!isNote(view, pkg)) {
        checkSealed(view, pkg)
        sealed++
      }
      counts.set(holder[pkg], (counts.get(holder[pkg]) ?? 0) + 1)
      spaces.set(holder[pkg], (spaces.get(holder[pkg]) ?? 0) + footprintOf(view, pkg))
    }
    let sum = 0
    for (let row = 1; row <= view.highOf(Container); row++) sum += packages[row]
    assert(sum === view.countOf(Package), `${sum} packages stand somewhere`)
    for (const [row, count] of counts) {
      assert(packages[row] === count, `container ${row} counts ${packages[row]} packages`)
      const space = spaces.get(row)
      assert(packageSpace[row] === space, `container ${row} has packages of ${packageSpace[row]}`)
    }
    const used = unitsIn(view, namedContainer('packaging'), CARGO_CONTAINER)
    assert(used === sealed, `${used} cargo containers are in use`)
  },
}

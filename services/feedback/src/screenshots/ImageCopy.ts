/** The size of an image in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Thrown for an image that does not have the structure of its format. */
export class MalformedImageError extends Error {
  override readonly name = 'MalformedImageError';
}

/** Bytes that {@link ImageCopy.add} may add beyond those of the image. */
const ROOM = 64;
/** More than any program writes into 5 MiB; each takes time. */
const MOST_PARTS = 20_000;

/**
 * A copy of an image in the making: its parts are read in order, and either kept or skipped. Offsets are
 * relative to the part that comes next. Each method throws MalformedImageError if the image has too few
 * bytes.
 */
export class ImageCopy {
  readonly #bytes: Buffer;
  readonly #copy: Buffer;
  #at = 0;
  #length = 0;
  #parts = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#copy = Buffer.allocUnsafe(bytes.length + ROOM);
  }

  /** The number of bytes that come next. */
  get left(): number {
    return this.#bytes.length - this.#at;
  }

  byte(offset: number): number {
    this.#demand(offset + 1);
    return this.#bytes[this.#at + offset];
  }

  text(offset: number, length: number): string {
    return this.peek(offset + length).toString('latin1', offset);
  }

  uint16BE(offset: number): number {
    this.#demand(offset + 2);
    return this.#bytes.readUInt16BE(this.#at + offset);
  }

  uint16LE(offset: number): number {
    this.#demand(offset + 2);
    return this.#bytes.readUInt16LE(this.#at + offset);
  }

  uint32BE(offset: number): number {
    this.#demand(offset + 4);
    return this.#bytes.readUInt32BE(this.#at + offset);
  }

  uint32LE(offset: number): number {
    this.#demand(offset + 4);
    return this.#bytes.readUInt32LE(this.#at + offset);
  }

  /** Returns the bytes that come next; not a copy. */
  peek(count: number): Buffer {
    this.#demand(count);
    return this.#bytes.subarray(this.#at, this.#at + count);
  }

  keep(count: number): void {
    this.#take(count);
    this.#length += this.#bytes.copy(
      this.#copy,
      this.#length,
      this.#at - count,
      this.#at,
    );
  }

  skip(count: number): void {
    this.#take(count);
  }

  /** Adds bytes that are not in the image: 64 at most, beyond those skipped. */
  add(bytes: Buffer): void {
    this.#length += bytes.copy(this.#copy, this.#length);
  }

  /** Returns what was kept and added so far. */
  kept(): Buffer {
    return this.#copy.subarray(0, this.#length);
  }

  #take(count: number): void {
    this.#demand(count);
    this.#at += count;
    this.#parts += 1;
    if (this.#parts > MOST_PARTS) {
      throw new MalformedImageError('The image has too many parts');
    }
  }

  #demand(count: number): void {
    if (count > this.left) {
      throw new MalformedImageError('The image ends too early');
    }
  }
}

// A small interpreter, a program a thread: nvcc makes a tree of branches of the switch.
extern "C" __global__ void switches(const unsigned char *code, unsigned length, unsigned *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned a = i, b = 1;
    for (unsigned k = 0; k < length; k++)
        switch (code[(i * 3 + k) % length] % 10) {
        case 0:
            a += b;
            break;
        case 1:
            a -= k, b ^= a;
            break;
        case 2:
            a *= 3;
            break;
        case 3:
            b = a >> 3;
            break;
        case 4:
            a = b / (a % 7 + 1);
            break;
        case 5:
            a = __brev(a) + b;
            break;
        case 6:
            b += __popc(a) * k; // and on with 7
        case 7:
            a ^= b << (k % 32);
            break;
        case 8:
            b = a & 1 ? ~b : b;
            break;
        default:
            a = max(a, b) - min(a, b) / 3;
        }
    out[i] = a ^ b;
}

"""Words that stand before a version as a product's name would: platforms that others run on, and words of prose."""

PLATFORMS = frozenset(
    """android bun cc chrome clang cpython cuda cudnn debian deno ecmascript fedora firefox gcc glibc golang http
    ios java javascript jdk kernel libc linux llvm macos mariadb msrv mysql node nodejs npm openssl oracle perl
    php postgres postgresql py pypy python redis rhel rocm ruby rust rustc safari sqlite ssl tls typescript
    ubuntu unicode windows xcode""".split()
)
# Words that may stand right before a version of the question's own product.
NO_NAMES = frozenset(
    """a about above after against all an and any are around as at be been before behind below between beyond both
    branch breaking bug but by bump came can changelog changes come commits compare comparing
    contributors contrast could deprecations did diff difference differences do does drop during either else feature
    features fix fixes for from gets give go going had has
    have highlights how i if improvements in into is it its jump just lands latest less like line lines make may
    me migrate migration minimum more move my need needs new newer news next no not notes now of off older on
    one only onto or our out over part past post pre prior regarding release released releases removals requires
    run running runs says sec security see series ship shipped shipping ships should since so some specifically
    still straight such switch than that the their then there these they this those through thru till to towards
    under until up update upgrade upto us use used using v ver version versions versus very via vs w/ was we
    were what whats when where whether which while who why will with within without would y yet you your""".split()
)
